/** Begins, empties and retires the generations of one collection. Each call registers first what it then carries out. */
import { shapeOf } from '../../kernel/ports/collection-shape.ts';
import type { Collection, Generation } from '../../kernel/ports/read-model.ts';
import { isSame, ownEntry } from './generations.ts';
import type { Fill, StoredGeneration } from './layout.ts';
import type { OwnedRegistration } from './owned-registration.ts';
import { addedGeneration, emptiedGeneration, goneLive, withdrawnVersion } from './registration-changes.ts';
import type { WriterFills } from './writer-fills.ts';

/** All within `writing` of the registration. */
export interface GenerationWrites {
  /** Adds a generation unless the version has one in this shape. */
  prepare(collection: Collection): Promise<void>;
  clear(collection: Collection): Promise<void>;
  renew(collection: Collection): Promise<Generation>;
  withdraw(version: number): Promise<void>;
  goLive(collection: Collection): Promise<void>;
}

export function createGenerationWrites(
  registration: OwnedRegistration,
  fills: WriterFills,
  retired: (fills: readonly Fill[]) => void,
): GenerationWrites {
  const { known, current, save } = registration;

  async function addNext(collection: Collection): Promise<StoredGeneration> {
    const { entry, fields } = addedGeneration(current(), collection);
    await save(fields);
    await fills.makeIndexes(entry);
    return entry;
  }

  async function empty(own: StoredGeneration): Promise<StoredGeneration> {
    const { entry, fields } = emptiedGeneration(current(), own);
    await save(fields);
    retired([fills.named(own)]);
    await fills.makeIndexes(entry);
    return entry;
  }

  return {
    async prepare(collection) {
      if (known() === undefined) await registration.register();
      const shape = JSON.stringify(shapeOf(collection));
      const alike = current().generations.findLast(
        (each) => each.version === collection.version && each.shape === shape,
      );
      if (alike === undefined) await addNext(collection);
      // Its writer may have ended before it made them.
      else await fills.makeIndexes(alike);
    },

    async clear(collection) {
      await empty(ownEntry(known(), collection));
    },

    async renew(collection) {
      const own = ownEntry(known(), collection);
      return isSame(own, current().live) ? addNext(collection) : empty(own);
    },

    async withdraw(version) {
      const registered = known();
      const fields = registered && withdrawnVersion(registered, version);
      if (fields !== undefined) await save(fields);
    },

    async goLive(collection) {
      const own = ownEntry(known(), collection);
      const change = goneLive(current(), own);
      if (change === undefined) return;
      await save(change.fields);
      retired(change.retired.map(fills.named));
    },
  };
}
