/** Draft as loaded for settling: its state, and the cause for events recorded about it. */
import type { Logger } from '../../kernel/ports/logger.ts';
import { type Cause, causeOf, type Executor } from '../../kernel/runtime/execute.ts';
import { draft } from '../../streams/draft.ts';
import type { DraftState } from '../../streams/draft-state.ts';

export interface LoadedDraft {
  readonly transactionId: string;
  readonly state: DraftState;
  /** Continues the causal chain of the draft's last event. */
  readonly cause: Cause;
}

/** `part`: name of the part of the service, for the cause. */
export async function loadDraft(
  executor: Executor,
  part: string,
  transactionId: string,
): Promise<LoadedDraft> {
  const { state, events } = await executor.load(draft, transactionId, { trust: 'cached' });
  const last = events.at(-1);
  return {
    transactionId,
    state,
    cause: causeOf(part, {
      correlationId: last?.metadata.correlationId ?? transactionId,
      causationId: last?.eventId ?? transactionId,
      ...(last?.metadata.traceparent === undefined ? {} : { traceparent: last.metadata.traceparent }),
    }),
  };
}

/** Result of work on one draft; without a reason it succeeded. */
export interface Result {
  readonly followed: Pick<LoadedDraft, 'transactionId'> & Partial<LoadedDraft>;
  readonly reason?: unknown;
}

/** Logs failures of single drafts; throws the first reason if all have failed. */
export function requireSomeSuccess(results: readonly Result[], logger: Logger): void {
  const failures = results.filter(({ reason }) => reason !== undefined);
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === results.length) throw first.reason;
  logger.warn(
    {
      count: failures.length,
      error: String(first.reason),
      transactionId: first.followed.transactionId,
      correlationId: first.followed.cause?.correlationId,
    },
    'some submissions could not be settled, retrying',
  );
}

/** Background tasks for single drafts; at most one per draft at a time. */
export function createSideTasks() {
  const running = new Map<string, Promise<void>>();
  let results: Result[] = [];
  return {
    /** Does nothing while a task of the same draft is running. */
    start(followed: Result['followed'], work: () => Promise<void>) {
      const { transactionId } = followed;
      if (running.has(transactionId)) return;
      const task = work()
        .then(
          () => void results.push({ followed }),
          (reason: unknown) => void results.push({ followed, reason }),
        )
        .finally(() => running.delete(transactionId));
      running.set(transactionId, task);
    },
    /** Results of the tasks that have ended since the last call. */
    results() {
      const since = results;
      results = [];
      return since;
    },
    /** Resolves when no task is running. */
    async ended() {
      await Promise.all(running.values());
    },
  };
}
