/** Lets pieces of work with the same key run one after another, in the order in which they came. */
import { pauseFor } from './subscription-runner.ts';

export interface Turns {
  /**
   * Runs the work after all earlier work with this key has ended, however it ended, or has had its turn for too long:
   * what hangs must not hang the others.
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Milliseconds. */
const LONGEST_TURN = 5_000;

export function createTurns(longestTurn: number = LONGEST_TURN): Turns {
  /** By key, the end of the turn that was given last. */
  const ends = new Map<string, Promise<void>>();

  async function turn(work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const ended = work.then(
      () => over.abort(),
      () => over.abort(),
    );
    await Promise.race([ended, pauseFor(longestTurn, over.signal)]);
  }

  return {
    take(key, work) {
      const before = ends.get(key);
      const begin = async () => work();
      const own = before === undefined ? begin() : before.then(begin);
      const end = (before ?? Promise.resolve()).then(() => turn(own));
      ends.set(key, end);
      const forget = () => {
        if (ends.get(key) === end) ends.delete(key);
      };
      end.then(forget, forget);
      return own;
    },
  };
}
