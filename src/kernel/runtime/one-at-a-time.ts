/**
 * Runs one piece of work per key at a time. Others wait for a limited time; work that hangs keeps its key. async-lock
 * 1.5.0 cannot do this: when the work ended after 10,000 callers had given up waiting, it overflowed the stack and
 * never freed the key.
 */
import { pauseFor } from './pause-for.ts';

export interface OneAtATime {
  /**
   * Runs the work once all earlier work with this key has settled. When that takes longer than the patience, the work
   * is not run, and the call rejects with `overdue()`.
   */
  run<Result>(key: string, work: () => Promise<Result>, overdue: () => Error): Promise<Result>;
}

/** `patience` in milliseconds. */
export function createOneAtATime(patience: number): OneAtATime {
  /** By key, resolves when all work so far has settled. */
  const ends = new Map<string, Promise<void>>();

  return {
    async run(key, work, overdue) {
      const before = ends.get(key);
      let leave = () => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const end = before === undefined ? left : before.then(() => left);
      ends.set(key, end);
      // A caller that gives up does not free the key: it is free only after all earlier work.
      void end.then(() => {
        if (ends.get(key) === end) ends.delete(key);
      });
      try {
        if (before !== undefined && !(await endsWithin(before, patience))) throw overdue();
        return await work();
      } finally {
        leave();
      }
    },
  };
}

async function endsWithin(earlier: Promise<void>, milliseconds: number): Promise<boolean> {
  const ended = new AbortController();
  void earlier.then(() => ended.abort());
  await pauseFor(milliseconds, ended.signal);
  return ended.signal.aborted;
}
