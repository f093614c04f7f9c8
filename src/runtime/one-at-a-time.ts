/** Lets one piece of work with a key be under way at a time. The others wait, but not for ever: nothing is run beside one that hangs. */
import { pauseFor } from './subscription-runner.ts';

export interface OneAtATime {
  /**
   * Runs the work once all earlier work with this key has ended, however it ended. When that takes longer than the
   * patience, the work is not run at all, and `overdue` says what to throw.
   */
  run<Result>(key: string, work: () => Promise<Result>, overdue: () => Error): Promise<Result>;
}

/** `patience` in milliseconds. */
export function createOneAtATime(patience: number): OneAtATime {
  /** By key, when the last of those who came has ended, and all before it. */
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
      // Who gives up waiting leaves before those that came earlier do: the key is free only after all of them.
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
