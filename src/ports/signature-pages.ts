/** The history of an account over the Chain port, in pages, newest first. */
import type { Chain, Commitment } from './chain.ts';

/** What nodes give at most. */
const MOST_PER_PAGE = 1_000;
/** Anybody may name an account in transactions of their own; further back than this nobody looks in one go. */
const MOST_PAGES = 20;

export interface SignaturePage {
  /** Newest first. */
  readonly signatures: readonly string[];
  /** Nothing is older. */
  readonly isLast: boolean;
}

interface Asked {
  readonly commitment: Commitment;
  /** As `Chain.signaturesOf`. */
  readonly atLeastSlot?: bigint;
  /** 1,000 if absent. */
  readonly perPage?: number;
}

/** At most 20 pages: a history that is longer ends without a last page. */
export async function* signaturePages(
  chain: Pick<Chain, 'signaturesOf'>,
  address: string,
  { perPage = MOST_PER_PAGE, ...asked }: Asked,
): AsyncGenerator<SignaturePage, void> {
  let before: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const entries = await chain.signaturesOf(address, {
      ...asked,
      limit: perPage,
      ...(before === undefined ? {} : { before }),
    });
    const signatures = entries.map(({ signature }) => signature);
    const isLast = signatures.length < perPage;
    yield { signatures, isLast };
    if (isLast) return;
    before = signatures.at(-1);
  }
}
