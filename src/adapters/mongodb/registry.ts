/** What is registered of each collection, as this process knows it. */
import type { Db } from 'mongodb';
import { READ_TIME, type Registered, registryOf } from './layout.ts';

/** What is asked of the server no more often than every so many milliseconds. */
const KEPT_FOR = 500;

export type Known = Omit<Registered, 'pending'>;

export interface Registry {
  /** As it is now. */
  fresh(name: string): Promise<Known | undefined>;
  /** As it was half a second ago, or later. */
  recent(name: string): Promise<Known | undefined>;
  all(): Promise<readonly Known[]>;
  /** What this process has written. */
  note(known: Known): void;
}

/** Intents can be large, and only whoever takes over needs them. */
const WITHOUT_INTENTS = { projection: { pending: 0 }, maxTimeMS: READ_TIME } as const;

export function createRegistry(database: Db): Registry {
  const stored = registryOf(database);
  const known = new Map<string, { readonly registered: Known; readonly at: number }>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<readonly Known[]> | undefined;

  async function readAll(): Promise<readonly Known[]> {
    const began = performance.now();
    const found = await stored.find({}, WITHOUT_INTENTS).toArray();
    for (const [name, { at }] of known)
      if (at < began && !found.some(({ _id }) => _id === name)) known.delete(name);
    for (const each of found) keep(each, began);
    readAt = began;
    return found;
  }

  /** An answer can be older than what was written meanwhile; one that was asked for later is not, whatever it says. */
  function keep(each: Known, began: number): void {
    const before = known.get(each._id);
    if (before === undefined || began > before.at || each.seq >= before.registered.seq) note(each);
  }

  function note(each: Known): void {
    known.set(each._id, { registered: each, at: performance.now() });
  }

  return {
    async fresh(name) {
      const began = performance.now();
      const found = await stored.findOne({ _id: name }, WITHOUT_INTENTS);
      if (found === null) known.delete(name);
      else keep(found, began);
      return found ?? undefined;
    },

    async recent(name) {
      if (performance.now() - readAt > KEPT_FOR) {
        reading ??= readAll().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return known.get(name)?.registered;
    },

    all: readAll,
    note,
  };
}
