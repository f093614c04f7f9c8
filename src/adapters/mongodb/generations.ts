/** Which of a collection's registered generations is meant. */
import { canRead, shapeOf } from '../../kernel/ports/collection-shape.ts';
import type { Collection, Generation } from '../../kernel/ports/read-model.ts';
import type { StoredGeneration } from './layout.ts';
import type { Known } from './registry.ts';

export function isSame(one: Generation, other: Generation | null): boolean {
  return one.version === other?.version && one.generation === other.generation;
}

/** @throws when this very version and shape was not prepared. */
export function ownEntry(known: Known | undefined, collection: Collection): StoredGeneration {
  const { name, version } = collection;
  const shape = JSON.stringify(shapeOf(collection));
  const found = known?.generations
    .filter((each) => each.version === version && each.shape === shape)
    .reduce<StoredGeneration | undefined>(
      (latest, each) => (latest !== undefined && latest.generation > each.generation ? latest : each),
      undefined,
    );
  if (found) return found;
  throw new Error(`the collection "${name}" version ${version} was not prepared in this shape`);
}

/** @throws when it is no longer there. */
export function entryAt(
  known: Known | undefined,
  { name }: Collection,
  wanted: Generation,
): StoredGeneration {
  const found = known?.generations.find((each) => isSame(each, wanted));
  if (found) return found;
  throw new Error(
    `the collection "${name}" no longer has generation ${wanted.generation} of version ${wanted.version}`,
  );
}

/** The wanted one, or the collection's own. @throws when there is none. */
export function entryOf(
  known: Known | undefined,
  collection: Collection,
  wanted: Generation | undefined,
): StoredGeneration {
  return wanted === undefined ? ownEntry(known, collection) : entryAt(known, collection, wanted);
}

/** What the collection's version can read now. */
export function servedEntry(known: Known | undefined, collection: Collection): StoredGeneration | undefined {
  const live = known?.live ?? null;
  if (live === null || !canRead(collection, live)) return undefined;
  return known?.generations.find((each) => isSame(each, live));
}
