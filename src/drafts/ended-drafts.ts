/** Finds the drafts that ended without landing. */
import type { Executor } from '../kernel/runtime/execute.ts';
import { draft } from '../streams/draft.ts';
import type { DraftState, DraftStatus } from '../streams/draft-state.ts';

const ENDS: readonly DraftStatus[] = ['failed', 'expired', 'superseded', 'cancelled'];

/** The draft has not landed, and the service will never accept it. A cancelled launch may land all the same. */
export function isEnded({ status }: DraftState): boolean {
  return ENDS.includes(status);
}

/** Those of the given drafts whose transactions never landed and no longer can. */
export async function endedDrafts(
  executor: Executor,
  transactionIds: readonly string[],
): Promise<readonly string[]> {
  const loaded = await Promise.all(
    transactionIds.map(async (transactionId) => (await executor.load(draft, transactionId)).state),
  );
  return transactionIds.filter((_, index) => loaded[index] !== undefined && isEnded(loaded[index]));
}
