/** What the memos of a history's entry say about whose transaction it is. Pure. */
import { addressOf, decodeMessage, MEMO_PROGRAM } from 'levy-solana-wire';
import type { Likelihood } from '../../chain/search-progress.ts';
import type { HistoryEntry } from '../../kernel/ports/chain.ts';

/** The texts of the message's memos. */
export function memosOf(message: Uint8Array): readonly string[] {
  const decoded = decodeMessage(message);
  if (!decoded.ok) return [];
  const { accountKeys, instructions } = decoded.message;
  return instructions
    .filter(({ programIndex }) => {
      const key = accountKeys[programIndex];
      return key !== undefined && addressOf(key) === MEMO_PROGRAM;
    })
    .map(({ data }) => Buffer.from(data).toString());
}

/**
 * By the memos of the messages that it may carry. A node that keeps no memos gives none, which rules nothing out; one
 * that gives other memos shows another transaction.
 */
export function likelihoodByMemos(
  { memo }: Pick<HistoryEntry, 'memo'>,
  candidates: readonly (readonly string[])[],
): Likelihood {
  if (memo === undefined) return 'possible';
  const fits = candidates.some((texts) => texts.length > 0 && texts.every((text) => memo.includes(text)));
  return fits ? 'likely' : 'ruled-out';
}
