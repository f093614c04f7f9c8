/** Finds the drafts that came to nothing. */
import type { Executor } from '../runtime/execute.ts';
import { draft } from '../streams/draft.ts';

/** The drafts among these whose transactions can no longer land and never have. */
export async function endedDrafts(
  executor: Executor,
  transactionIds: readonly string[],
): Promise<readonly string[]> {
  const ended = await Promise.all(
    transactionIds.map(async (transactionId) => {
      const { status } = (await executor.load(draft, transactionId)).state;
      return status === 'failed' || status === 'expired' || status === 'superseded';
    }),
  );
  return transactionIds.filter((_, index) => ended[index]);
}
