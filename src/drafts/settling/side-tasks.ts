/** Work for single drafts that no round waits for, one task a draft at a time. */
import type { Result } from './followed-draft.ts';

export interface SideTasks {
  /** Nothing happens while the draft's task before is still running. */
  start(followed: Result['followed'], work: () => Promise<void>): void;
  /** Results of the tasks that have ended since the last call. */
  results(): readonly Result[];
  /** Resolves when none is running. */
  ended(): Promise<void>;
}

export function createSideTasks(): SideTasks {
  const running = new Map<string, Promise<void>>();
  let results: Result[] = [];
  return {
    start(followed, work) {
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
    results() {
      const since = results;
      results = [];
      return since;
    },
    async ended() {
      await Promise.all(running.values());
    },
  };
}
