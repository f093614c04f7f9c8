/** Applies an operator's correction: the collected amount is the wallet's balance plus tokens burned and sold by landed links. */
import { CollectionCorrected } from '../../../streams/distribution-run.ts';
import { reservedTokens } from '../../amounts/split-tax.ts';
import { AGAIN, type Decision, halts, recordsOfRun } from '../../decision.ts';
import type { RunView } from '../../view.ts';

export function decideCorrect({ state, open, token }: RunView): Decision {
  const { corrected, landed } = state;
  if (corrected === undefined) return AGAIN;
  const { tokenId, runId } = open;
  const spent = landed
    .flatMap(({ links }) => links.flatMap(({ actions }) => actions))
    .reduce(
      (sum, action) => (action.kind === 'burn' || action.kind === 'sell' ? sum + BigInt(action.amount) : sum),
      0n,
    );
  const balance = BigInt(corrected.tokens) + spent;
  const reserved = reservedTokens(open.carried);
  if (balance < reserved)
    return halts(
      'BOOKS_DISAGREE',
      `The wallet's account ${token.tokens} held ${balance} base units, but ${reserved} are kept, owed or undivided.`,
    );
  return recordsOfRun(
    CollectionCorrected({
      tokenId,
      runId,
      collected: (balance - reserved).toString(),
      balance: balance.toString(),
      slot: corrected.slot,
    }),
  );
}
