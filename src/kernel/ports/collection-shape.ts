/** Rules on shapes, names and texts that make all read models return the same results. */
import type { Collection, FindOptions, Generation, Placed } from './read-model.ts';

/** Queries that a build of a collection supports. Stored with it, because reads may outlast its definition. */
export interface CollectionShape {
  readonly indexes: readonly string[];
  readonly lists: readonly string[];
  readonly views: readonly string[];
  readonly terms: boolean;
}

const KINDS = ['indexes', 'lists', 'views'] as const;

/** Sort key of all documents in an index without sort keys. */
const NO_PLACE = '';

export function placed(found: readonly string[] | Placed): Placed {
  return 'place' in found ? found : { values: found, place: NO_PLACE };
}

/** `after` in its object form. */
export function placeBehind(after: FindOptions['after']): Exclude<FindOptions['after'], string> {
  return typeof after === 'string' ? { place: NO_PLACE, key: after } : after;
}

export function shapeOf(collection: Collection): CollectionShape {
  const names = (of: object | undefined) => Object.keys(of ?? {}).sort();
  return {
    indexes: names(collection.indexes),
    lists: names(collection.lists),
    views: names(collection.views),
    terms: collection.terms !== undefined,
  };
}

/** A release can read its own and older versions. */
export function canRead({ version }: Collection, live: Pick<Generation, 'version'>): boolean {
  return live.version <= version;
}

/** True if documents stored in this shape support a query with these needs. */
export function supports(shape: CollectionShape, needs: Partial<CollectionShape>): boolean {
  return KINDS.every((kind) => (needs[kind] ?? []).every((name) => shape[kind].includes(name)));
}

export function isSameBuild(one: Generation, other: Generation | null): boolean {
  return one.version === other?.version && one.generation === other.generation;
}

export function generationOf({ version, generation }: Generation): Generation {
  return { version, generation };
}

/** SQLite ends a text at its first NUL, and UTF-8 cannot encode unpaired surrogates. */
export function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}

export function searchable(term: string): string {
  // A letter can have several encodings, and a search cannot know which one was stored.
  return storable(term.normalize('NFKC').toLowerCase());
}
