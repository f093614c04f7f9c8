/** What a writer changes in a collection's registration. Pure: each function returns the fields that change. */
import { shapeOf } from '../../kernel/ports/collection-shape.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Collection } from '../../kernel/ports/read-model.ts';
import { NewerVersionLive } from '../../kernel/ports/shared-read-model.ts';
import { isSame } from './generations.ts';
import type { Registered, StoredGeneration } from './layout.ts';
import type { Plan } from './plan-chunk.ts';
import type { Known } from './registry.ts';

export type RegistrationFields = Partial<Omit<Registered, '_id' | 'seq'>>;

export interface GenerationChange {
  /** As it is after the change. */
  readonly entry: StoredGeneration;
  readonly fields: RegistrationFields;
}

export function firstRegistration(name: string, by: Pick<Registered, 'term' | 'writer'>): Registered {
  return { _id: name, ...by, seq: 1, fills: 0, generations: [], live: null, pending: null };
}

/** Generations are counted per version from 1, fillings per collection. */
export function addedGeneration(
  { generations, fills }: Pick<Registered, 'generations' | 'fills'>,
  collection: Collection,
): GenerationChange {
  const { version } = collection;
  const alike = generations.filter((each) => each.version === version);
  const entry: StoredGeneration = {
    version,
    generation: 1 + alike.reduce((latest, each) => Math.max(latest, each.generation), 0),
    fill: fills + 1,
    shape: JSON.stringify(shapeOf(collection)),
    checkpoint: null,
    next: 0,
  };
  return { entry, fields: { fills: entry.fill, generations: [...generations, entry] } };
}

/** It gets another filling, so that nothing that was sent before the change reaches it. */
export function emptiedGeneration(
  { generations, fills, live }: Pick<Registered, 'generations' | 'fills' | 'live'>,
  own: StoredGeneration,
): GenerationChange {
  const entry = { ...own, fill: fills + 1, checkpoint: null, next: 0 };
  return {
    entry,
    fields: {
      fills: entry.fill,
      generations: withEntry(generations, entry),
      live: isSame(own, live) ? null : live,
    },
  };
}

/** The intent that comes before a chunk's rows: from here on whoever takes over knows what may have been written. */
export function intendedChunk(
  { generations }: Pick<Registered, 'generations'>,
  entry: StoredGeneration,
  { pending: rows, next }: Pick<Plan, 'pending' | 'next'>,
): RegistrationFields {
  return {
    pending: { fill: entry.fill, rows },
    generations: withEntry(generations, { ...entry, next }),
  };
}

/**
 * The next chunk's intent takes the place of the one before: only the last one is taken out by itself. The checkpoint never
 * moves back. Undefined where nothing changes.
 */
export function finishedCommit(
  { generations, pending }: Pick<Registered, 'generations' | 'pending'>,
  entry: StoredGeneration,
  checkpoint: Position | undefined,
): RegistrationFields | undefined {
  const moves = checkpoint !== undefined && (entry.checkpoint === null || entry.checkpoint < checkpoint);
  if (!moves && pending === null) return undefined;
  return {
    ...(pending === null ? {} : { pending: null }),
    ...(moves ? { generations: withEntry(generations, { ...entry, checkpoint }) } : {}),
  };
}

/** Undefined where nothing is live. @throws NewerVersionLive */
export function withdrawnVersion(
  { _id: name, live }: Pick<Registered, '_id' | 'live'>,
  version: number,
): RegistrationFields | undefined {
  if (live === null) return undefined;
  if (live.version > version) throw new NewerVersionLive(name, live.version);
  return { live: null };
}

/** Undefined where it is live already and alone. @throws NewerVersionLive */
export function goneLive(
  { _id: name, live, generations }: Pick<Registered, '_id' | 'live' | 'generations'>,
  own: StoredGeneration,
): { readonly fields: RegistrationFields; readonly retired: readonly StoredGeneration[] } | undefined {
  if (live !== null && live.version > own.version) throw new NewerVersionLive(name, live.version);
  const retired = generations.filter((each) => !isSame(each, own));
  if (retired.length === 0 && isSame(own, live)) return undefined;
  const { version, generation } = own;
  return { fields: { generations: [own], live: { version, generation } }, retired };
}

/** Whether a registration has all that was acknowledged: numbers and checkpoints only grow, whoever writes. */
export function includes(found: Known | undefined, { seq, generations }: Known): boolean {
  if (found === undefined || found.seq < seq) return false;
  return found.generations.every(({ fill, checkpoint }) => {
    const before = generations.find((each) => each.fill === fill)?.checkpoint ?? null;
    return before === null || (checkpoint !== null && checkpoint >= before);
  });
}

function withEntry(
  generations: readonly StoredGeneration[],
  entry: StoredGeneration,
): readonly StoredGeneration[] {
  return generations.map((each) => (isSame(each, entry) ? entry : each));
}
