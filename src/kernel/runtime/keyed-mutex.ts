/**
 * Runs work with the same key serially, in call order. async-lock 1.5.0 is unsuitable: when work ends after 10,000 callers
 * have timed out, it overflows the stack and never releases the key. async-mutex and p-queue have no keys.
 */
import { sleep } from './sleep.ts';

export function createKeyedMutex({
  longestHold,
  patience,
}: {
  /** Milliseconds after which unsettled work releases its key, but continues to run; absent for no limit. */
  readonly longestHold?: number;
  /** Milliseconds after which a waiting caller gets the error; absent for no limit. */
  readonly patience?: { readonly milliseconds: number; readonly overdue: () => Error };
}) {
  /** End of the last work of each key; resolves when all work so far has released the key. */
  const ends = new Map<string, Promise<void>>();

  return {
    /** True while work with this key is running or waiting. */
    isHeld: (key: string) => ends.has(key),
    /** Rejects with the error of `overdue`, without running the work, if the key is not released in time. */
    async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const before = ends.get(key);
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      // A caller that times out does not release the key, which earlier work may still hold.
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
