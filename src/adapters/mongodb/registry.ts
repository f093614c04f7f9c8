/** Cache of the stored state as this process last read or wrote it. */
import type { Db } from 'mongodb';
import { IN_TIME } from './client.ts';
import { type StoredState, storedStateOf } from './layout.ts';

/** Undefined before the first term. */
type Found = StoredState | undefined;

/**
 * Cache lifetime in milliseconds; longer than the interval between two reads of an idle process, so those reads serve its queries
 * as well.
 */
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
    // This response may be older than a write or a response received in the meantime.
    if (began > cachedAt) {
      cached = found;
      cachedAt = began;
    }
    return found;
  }

  return {
    fresh,
    /** At most a few seconds old. */
    async recent(): Promise<Found> {
      if (performance.now() - cachedAt <= CACHED_FOR) return cached;
      reading ??= fresh().finally(() => {
        reading = undefined;
      });
      await reading;
      return cached;
    },
    cached: () => cached,
    wrote(written: StoredState): void {
      cached = written;
      cachedAt = performance.now();
    },
  };
}
