/** Finds the drafts that ended without landing. */
import type { Executor } from '../kernel/runtime/execute.ts';
import { draft } from '../streams/draft.ts';
import type { DraftStatus } from '../streams/draft-state.ts';

const ENDS: readonly DraftStatus[] = ['failed', 'expired', 'superseded', 'cancelled'];

/** Those of the given drafts whose transactions never landed and no longer can. */
export async function endedDrafts(
  executor: Executor,
  transactionIds: readonly string[],
): Promise<readonly string[]> {
  const ended = await Promise.all(
    transactionIds.map(async (transactionId) => {
      const { status } = (await executor.load(draft, transactionId)).state;
      return ENDS.includes(status);
    }),
  );
  return transactionIds.filter((_, index) => ended[index]);
}
