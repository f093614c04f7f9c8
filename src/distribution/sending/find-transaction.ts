/** Finds a finalized transaction in the history of an account. A node may be late with it: not found proves nothing. */
import type { Chain, LandedTransaction } from '../../ports/chain.ts';

export interface FoundTransaction {
  readonly signature: string;
  readonly transaction: LandedTransaction;
}

/** Signatures of a page: what nodes give at most. */
const PAGE = 1_000;
/** Strangers may fill an account's history with transfers; further back than this nobody looks in one go. */
const MOST_PAGES = 20;

/** The newest that succeeded and that `matches`; `likely` are signatures that are looked at first. */
export async function findTransaction(
  chain: Pick<Chain, 'signaturesOf' | 'transaction'>,
  address: string,
  likely: readonly string[],
  matches: (transaction: LandedTransaction) => boolean,
): Promise<FoundTransaction | undefined> {
  const look = async (signature: string): Promise<FoundTransaction | undefined> => {
    const transaction = await chain.transaction(signature, 'finalized');
    if (transaction === undefined || transaction.error !== undefined) return undefined;
    return matches(transaction) ? { signature, transaction } : undefined;
  };
  for (const signature of likely) {
    const found = await look(signature);
    if (found !== undefined) return found;
  }
  let before: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const signatures = await chain.signaturesOf(address, {
      limit: PAGE,
      commitment: 'finalized',
      ...(before === undefined ? {} : { before }),
    });
    for (const signature of signatures) {
      if (likely.includes(signature)) continue;
      const found = await look(signature);
      if (found !== undefined) return found;
    }
    before = signatures.at(-1);
    if (signatures.length < PAGE) break;
  }
  return undefined;
}
