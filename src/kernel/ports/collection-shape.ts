/** The queries that a generation of a collection supports. Stored with it, because reads may outlast its definition. */
import type { Collection, FindOptions, Generation, Placed } from './read-model.ts';

export interface CollectionShape {
  readonly indexes: readonly string[];
  readonly lists: readonly string[];
  readonly views: readonly string[];
  readonly terms: boolean;
}

/** The place of every document in an index without places. */
const NO_PLACE = '';

export function placed(found: readonly string[] | Placed): Placed {
  return 'place' in found ? found : { values: found, place: NO_PLACE };
}

/** Where documents behind `after` are. */
export function placeBehind(after: FindOptions['after']): Exclude<FindOptions['after'], string> {
  return typeof after === 'string' ? { place: NO_PLACE, key: after } : after;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

export function shapeOf(collection: Collection): CollectionShape {
  const names = (of: object | undefined) => Object.keys(of ?? {}).sort();
  return {
    indexes: names(collection.indexes),
    lists: names(collection.lists),
    views: names(collection.views),
    terms: collection.terms !== undefined,
  };
}

/** A release reads what it writes, and older versions. */
export function canRead({ version }: Collection, live: Pick<Generation, 'version'>): boolean {
  return live.version <= version;
}

/** Whether what was stored in this shape can answer a query that needs these. */
export function supports(shape: CollectionShape, needs: Partial<CollectionShape>): boolean {
  return (['indexes', 'lists', 'views'] as const).every((kind) =>
    (needs[kind] ?? []).every((name) => shape[kind].includes(name)),
  );
}

/** @throws TypeError when a name could not be part of a stored name. */
export function requireNames(name: string, version: number, shape: CollectionShape): void {
  for (const part of [name, ...shape.indexes, ...shape.lists, ...shape.views]) {
    if (!NAME.test(part)) {
      throw new TypeError(`a name in a collection is letters, digits and "_", not ${JSON.stringify(part)}`);
    }
  }
  if (!Number.isSafeInteger(version) || version < 1) {
    throw new TypeError(`the version of "${name}" is a whole number from 1, not ${version}`);
  }
}

/** @throws TypeError when the collection does not define it. */
export function requireDefined(
  collection: Collection,
  kind: 'indexes' | 'lists' | 'views',
  name: string,
): void {
  if (!collection[kind]?.[name]) {
    throw new TypeError(`the collection "${collection.name}" has no "${name}" among its ${kind}`);
  }
}
