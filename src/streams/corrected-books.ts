/** An operator's correction of balances that were recorded wrongly, as the streams of a token and of its run hold it. */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Amount, orNull } from './values.ts';

/**
 * What the wallet holds by an operator's word, as the chain shows it too: it replaces what was recorded of the last till and of the open
 * run's collection. Links that are recorded and have not landed are decided again.
 */
export const CorrectedBooks = Type.Object({
  tokenId: Uuid,
  runId: orNull(Uuid),
  /** Base units in the wallet's own account of the token. */
  tokens: Amount,
  /** In the last till, without its rent. */
  lamports: Amount,
  slot: Amount,
  reason: Type.String({ examples: ['Two explorers show less than the node did.'] }),
});

/** The latest correction of the open run, and the tills of pending links that it made obsolete: any may still land. */
export const Correction = Type.Object({ tokens: Amount, slot: Amount, obsolete: Type.Array(Address) });

/** What was collected by the corrected balance: the tax is split and allotted again. */
export const CorrectedCollection = {
  collected: Amount,
  /** Base units in the wallet's account before anything of it was burned or sold. */
  balance: Amount,
  /** Of the correction. */
  slot: Amount,
};

interface Corrected<Till, Landed> {
  readonly till?: Till;
  readonly landed: Landed[];
  readonly corrected?: Static<typeof Correction>;
}

export function withCorrection<
  Till extends { readonly lamports: string },
  Landed extends { readonly lamports: string; readonly tokens: string },
>(
  state: Corrected<Till, Landed> & {
    readonly pending: readonly { readonly till: string }[];
    readonly open?: unknown;
  },
  { tokens, lamports, slot }: Pick<Static<typeof CorrectedBooks>, 'tokens' | 'lamports' | 'slot'>,
): Corrected<Till, Landed> {
  const { till, landed, pending, open } = state;
  const last = landed.at(-1);
  return {
    ...(till && { till: { ...till, lamports } }),
    landed: last === undefined ? landed : landed.with(-1, { ...last, lamports, tokens }),
    ...(open !== undefined && { corrected: { tokens, slot, obsolete: pending.map((link) => link.till) } }),
  };
}

/** The same content may be decided again: then it is obsolete no more. */
export function recordedAgain(
  { corrected }: { readonly corrected?: Static<typeof Correction> },
  links: readonly { readonly till: string }[],
): { readonly corrected?: Static<typeof Correction> } {
  if (corrected === undefined) return {};
  const obsolete = corrected.obsolete.filter((till) => !links.some((link) => link.till === till));
  return { corrected: { ...corrected, obsolete } };
}

/** Recorded links that are to be brought onto the chain: those that a correction made obsolete are only looked for. */
export function linksToDrive<Link extends { readonly till: string }>({
  pending,
  corrected,
}: {
  readonly pending: readonly Link[];
  readonly corrected?: Static<typeof Correction>;
}): readonly Link[] {
  return pending.filter(({ till }) => corrected?.obsolete.includes(till) !== true);
}
