/** Registrations as this process last read or wrote them. */
import type { Db } from 'mongodb';
import { IN_TIME } from './client.ts';
import { type Registration, registrationsOf } from './layout.ts';

type Registrations = ReadonlyMap<string, Registration>;

export interface Registry {
  /** Reads all of them now. */
  fresh(): Promise<Registrations>;
  /** Half a second old at most. */
  recent(): Promise<Registrations>;
  /** The registration as it was read or written last. */
  known(name: string): Registration | undefined;
  /** Caches what this process wrote. */
  wrote(written: Iterable<Registration>): void;
}

/** Milliseconds. */
const CACHED_FOR = 500;

export function createRegistry(database: Db): Registry {
  const stored = registrationsOf(database);
  let cached: Registrations = new Map();
  let cachedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Registrations> | undefined;

  async function fresh(): Promise<Registrations> {
    const began = performance.now();
    const found = new Map((await stored.find({}, IN_TIME).toArray()).map((each) => [each._id, each]));
    // An answer may be older than a write, or another answer, that was received meanwhile.
    if (began > cachedAt) {
      cached = found;
      cachedAt = began;
    }
    return found;
  }

  return {
    fresh,
    async recent() {
      if (performance.now() - cachedAt <= CACHED_FOR) return cached;
      reading ??= fresh().finally(() => {
        reading = undefined;
      });
      await reading;
      return cached;
    },
    known: (name) => cached.get(name),
    wrote(written) {
      cached = new Map([...cached, ...[...written].map((each) => [each._id, each] as const)]);
      cachedAt = performance.now();
    },
  };
}
