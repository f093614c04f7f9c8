/** What this process reads of the registry: which generation a collection writes, and which one it reads. */
import type { Db } from 'mongodb';
import { type CollectionShape, supports } from '../../kernel/ports/collection-shape.ts';
import { type Collection, CollectionNotLive } from '../../kernel/ports/read-model.ts';
import { servedEntry } from './generations.ts';
import { type Fill, fillOf } from './layout.ts';
import type { Known, Registry } from './registry.ts';

export interface Served {
  readonly fill: Fill;
  readonly shape: CollectionShape;
}

export interface KnownCollections {
  /** From now on the collection can be asked for. */
  add(name: string): void;
  /** As it is registered now. */
  registered(collection: Collection): Promise<Known | undefined>;
  /** @throws CollectionNotLive also when what is live does not support the query. */
  live(collection: Collection, needs?: Partial<CollectionShape>): Promise<Served>;
}

/** `requireOpen` throws once the read model is closed. */
export function createKnownCollections(
  database: Db,
  registry: Registry,
  requireOpen: () => void,
): KnownCollections {
  const prepared = new Set<string>();
  return {
    add: (name) => void prepared.add(name),

    async registered({ name, version }) {
      requireOpen();
      if (prepared.has(name)) return registry.fresh(name);
      throw new Error(`the collection "${name}" version ${version} was not prepared in this shape`);
    },

    async live(collection, needs = {}) {
      requireOpen();
      const { name } = collection;
      const found = prepared.has(name) ? servedEntry(await registry.recent(name), collection) : undefined;
      if (found === undefined) throw new CollectionNotLive(name);
      const shape: CollectionShape = JSON.parse(found.shape);
      if (!supports(shape, needs)) throw new CollectionNotLive(name);
      return { fill: fillOf(database, name, found), shape };
    },
  };
}
