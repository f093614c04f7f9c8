/**
 * Runs work with the same key one after another, in order. async-lock cannot do this: when work exceeds its time limit,
 * it rejects the caller, who here still gets the result. p-queue and async-mutex have no keys.
 */
import { pauseFor } from './pause-for.ts';

export interface Turns {
  /**
   * Runs the work after all earlier work with this key has settled or has exceeded its turn: work that hangs must not
   * block the rest.
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Whether somebody has a turn, or waits for one. */
  isTaken(key: string): boolean;
}

/** Milliseconds. */
const LONGEST_TURN = 5_000;

export function createTurns(longestTurn: number = LONGEST_TURN): Turns {
  /** By key, the end of the last turn. */
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
    isTaken: (key) => ends.has(key),
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
