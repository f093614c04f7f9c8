/** Lets pieces of work with the same key run one after another, in the order in which they came. */

export interface Turns {
  /** Runs the work after all earlier work with this key has ended, however it ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const before = last.get(key);
      const own = before === undefined ? work() : before.then(work, work);
      last.set(key, own);
      try {
        return await own;
      } finally {
        if (last.get(key) === own) last.delete(key);
      }
    },
  };
}
