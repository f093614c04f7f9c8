/**
 * Pages of lists, kept until their collection is written. Rows and lists are written only while the registration names an
 * intent, and each of its changes counts: a page that was read after a registration without one is what it was for as
 * long as that stands. One look at the registration serves all who ask meanwhile, and is all that a kept page costs.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { Page } from '../../kernel/ports/read-model.ts';
import { READ_TIME, registryOf } from './layout.ts';

export interface KeptPages {
  /** The kept page if it is still what `read` would give. Rejects when the registration cannot be read. */
  page(collection: string, key: string, read: () => Promise<Page>): Promise<Page>;
}

/** The registration's writer and number; undefined while there is an intent, or no registration. */
type Stamp = string | undefined;

interface KeptPage {
  readonly stamp: string;
  readonly page: Page;
}

/** Looks at one collection: a call that comes while one is under way need not wait until it ends. */
const LOOKS_AT_ONCE = 2;

/** In characters: some thousand pages. */
const MOST_KEPT = 16 * 1_048_576;

export function createKeptPages(database: Db): KeptPages {
  const registry = registryOf(database);
  return keepPages(async (name) => {
    const found = await registry.findOne(
      { _id: name },
      { projection: { writer: 1, seq: 1, 'pending.fill': 1 }, maxTimeMS: READ_TIME },
    );
    // Only that an intent is there counts: it may be large.
    return found === null || found.pending ? undefined : `${found.writer} ${found.seq}`;
  });
}

export function keepPages(look: (collection: string) => Promise<Stamp>): KeptPages {
  const pages = new LRUCache<string, KeptPage>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ page }, key) => page.items.reduce((sum, item) => sum + item.length, key.length + 100),
  });
  /** What the look found that began last, of those that have ended. */
  const known = new Map<string, { readonly stamp: Stamp; readonly began: number }>();
  const underWay = new Map<string, Set<Promise<Stamp>>>();
  const next = new Map<string, Promise<Stamp>>();
  let looks = 0;

  function begin(collection: string): Promise<Stamp> {
    const began = ++looks;
    const others = underWay.get(collection) ?? new Set<Promise<Stamp>>();
    underWay.set(collection, others);
    const looking: Promise<Stamp> = look(collection)
      .then((stamp) => {
        if (began > (known.get(collection)?.began ?? 0)) known.set(collection, { stamp, began });
        return stamp;
      })
      .finally(() => others.delete(looking));
    others.add(looking);
    return looking;
  }

  /** A look that begins after the call: one that is under way may have been answered already. */
  function lookNow(collection: string): Promise<Stamp> {
    const waiting = next.get(collection);
    if (waiting !== undefined) return waiting;
    const current = underWay.get(collection) ?? new Set<Promise<Stamp>>();
    if (current.size === 0) return begin(collection);
    // Those who come in this turn share it.
    const turn = current.size < LOOKS_AT_ONCE ? nextTurn() : Promise.race(current);
    const following = turn
      .catch(() => undefined)
      .then(() => {
        next.delete(collection);
        return begin(collection);
      });
    next.set(collection, following);
    return following;
  }

  async function readAndKeep(key: string, stamp: Stamp, read: () => Promise<Page>): Promise<Page> {
    const page = await read();
    if (stamp !== undefined) pages.set(key, { stamp, page });
    return page;
  }

  return {
    async page(collection, key, read) {
      const before = known.get(collection)?.stamp;
      const kept = pages.get(key);
      if (before !== undefined && kept?.stamp === before) {
        const now = await lookNow(collection);
        return now === before ? kept.page : readAndKeep(key, now, read);
      }
      // For those who ask later: this page is read anyway. What is wrong with the server, the page's own reading tells.
      lookNow(collection).catch(() => undefined);
      return readAndKeep(key, before, read);
    },
  };
}
