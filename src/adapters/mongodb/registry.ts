/** The stored state as this process last read or wrote it. */
import type { Db } from 'mongodb';
import { IN_TIME } from './client.ts';
import { type StoredState, storedStateOf } from './layout.ts';

/** Undefined before the first term. */
type Found = StoredState | undefined;

/** Longer than the pause between two reads of a process that waits for nothing: those serve its queries as well. Milliseconds. */
const CACHED_FOR = 2_500;

export type Registry = ReturnType<typeof createRegistry>;

export function createRegistry(database: Db) {
  const stored = storedStateOf(database);
  let cached: Found;
  let cachedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Found> | undefined;

  async function fresh(): Promise<Found> {
    const began = performance.now();
    const found = (await stored.findOne({ _id: 'state' }, IN_TIME)) ?? undefined;
    // An answer may be older than a write, or another answer, that was received meanwhile.
    if (began > cachedAt) {
      cached = found;
      cachedAt = began;
    }
    return found;
  }

  return {
    /** Reads it now. */
    fresh,
    /** Some seconds old at most. */
    async recent(): Promise<Found> {
      if (performance.now() - cachedAt <= CACHED_FOR) return cached;
      reading ??= fresh().finally(() => {
        reading = undefined;
      });
      await reading;
      return cached;
    },
    /** The state that was read or written last. */
    cached: () => cached,
    /** Caches a write of this process. */
    wrote(written: StoredState): void {
      cached = written;
      cachedAt = performance.now();
    },
  };
}
