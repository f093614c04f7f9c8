/**
 * Runs work with the same key serially, in the order of the calls. async-lock 1.5.0 cannot do this: when work ends after
 * 10,000 callers had stopped waiting, it overflows the stack and never frees the key. async-mutex and p-queue have no keys.
 */
import { sleep } from './sleep.ts';

export function createKeyedMutex({
  longestHold,
  patience,
}: {
  /** Milliseconds after which work that has not settled frees its key; never when absent. It still gets to its end. */
  readonly longestHold?: number;
  /** Milliseconds after which a caller stops waiting, and the error that it gets. When absent, callers wait without limit. */
  readonly patience?: { readonly milliseconds: number; readonly overdue: () => Error };
}) {
  /** The last work of each key; resolves when the key is free of all work so far. */
  const ends = new Map<string, Promise<void>>();

  return {
    /** True while work with this key is running or waiting. */
    isHeld: (key: string) => ends.has(key),
    /** Rejects with the error of `overdue`, without running the work, if the key is not free in time. */
    async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const before = ends.get(key);
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      // A caller that stops waiting does not free the key: it is free only after all earlier work.
      const end = before === undefined ? released : before.then(() => released);
      ends.set(key, end);
      void end.then(() => {
        if (ends.get(key) === end) ends.delete(key);
      });
      try {
        if (before !== undefined && !(await settlesWithin(before, patience?.milliseconds)))
          throw patience?.overdue();
        const result = work();
        if (longestHold !== undefined) void settlesWithin(result, longestHold).then(release);
        return await result;
      } finally {
        release();
      }
    },
  };
}

async function settlesWithin(work: Promise<unknown>, milliseconds: number | undefined): Promise<boolean> {
  const settled = new AbortController();
  const end = () => settled.abort();
  const settling = work.then(end, end);
  await (milliseconds === undefined ? settling : sleep(milliseconds, settled.signal));
  return settled.signal.aborted;
}
