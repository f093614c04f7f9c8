/** A draft as those who carry it on load it: its state, and the cause of what they record about it. */
import { type Cause, causeOf, type Executor } from '../runtime/execute.ts';
import { type DraftState, draft } from '../streams/draft.ts';

export interface FollowedDraft {
  readonly transactionId: string;
  readonly state: DraftState;
  /** Goes on from the draft's last event. */
  readonly cause: Cause;
}

/** `part` is the part of the service that follows it. */
export async function followDraft(
  executor: Executor,
  part: string,
  transactionId: string,
): Promise<FollowedDraft> {
  const { state, events } = await executor.load(draft, transactionId);
  const last = events.at(-1);
  return {
    transactionId,
    state,
    cause: causeOf(part, {
      correlationId: last?.metadata.correlationId ?? transactionId,
      causationId: last?.eventId ?? transactionId,
    }),
  };
}

/** What one draft suffers is its own and only told; throws the first reason when nothing went well. */
export function requireSomeSuccess(
  results: readonly PromiseSettledResult<unknown>[],
  report: (message: string, details: object) => void,
): void {
  const failures = results.filter((result) => result.status === 'rejected');
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === results.length) throw first.reason;
  report('some submissions could not be looked after', {
    count: failures.length,
    error: String(first.reason),
  });
}
