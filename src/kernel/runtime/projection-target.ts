/** A generation of a projection's documents that the projector fills or keeps up to date. */
import { type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { CollectionCommit, Generation, ReadModel, StoredDocument } from '../ports/read-model.ts';
import type { Projection } from './define-projection.ts';
import { EventUndecodable, type Recorded, type UndecodableEvent } from './event-codec.ts';
import type { EventReader, ReadInOrder } from './event-reader.ts';
import { foldEvents, keysOf } from './fold-events.ts';
import { createPace, type Pace } from './rebuild-progress.ts';

export type ProjectionState = 'building' | 'live' | 'failed';

export interface Target {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly categories: readonly string[];
  readonly pace: Pace;
  /** `live` once it has caught up, and is what queries read. */
  state: ProjectionState;
  /** Queries read it, also while it is catching up. */
  isServed: boolean;
  /** Another generation takes its place: it is not kept up to date any more. */
  retired: boolean;
  isGoingLive: boolean;
  position: Position;
  lastEventAt: string | undefined;
  error: string | undefined;
  blockedBy: { readonly event: UndecodableEvent; readonly before: ProjectionState } | undefined;
  /** How often it has moved since its last checkpoint without documents to write. */
  passed: number;
  remembering: Promise<void>;
}

export function newTarget(
  place: Pick<Target, 'projection' | 'generation' | 'categories' | 'isServed'>,
  position: Position = START,
): Target {
  return {
    ...place,
    pace: createPace(),
    state: 'building',
    retired: false,
    isGoingLive: false,
    position,
    lastEventAt: undefined,
    error: undefined,
    blockedBy: undefined,
    passed: 0,
    remembering: Promise.resolve(),
  };
}

/**
 * Gives the decoded event, undefined for a quarantined one; decodes each once, whoever asks. Throws each time where it
 * cannot be decoded.
 */
export type Decoded = (event: RecordedEvent) => Recorded | undefined;

export function decodedOnce(decode: Decoded): Decoded {
  const known = new Map<RecordedEvent, Recorded | undefined>();
  return (event) => {
    if (known.has(event)) return known.get(event);
    const found = decode(event);
    known.set(event, found);
    return found;
  };
}

/** The events that the target folds and has not handled yet, decoded, up to the first that cannot be. */
export function eventsFor(
  { projection, position }: Target,
  events: readonly RecordedEvent[],
  decoded: Decoded,
  mayBecome: EventReader['mayBecome'],
): ReadInOrder {
  const isFolded = (type: string) => projection.on[type] !== undefined;
  const recorded: Recorded[] = [];
  for (const [index, event] of events.entries()) {
    if (event.position <= position || !mayBecome(event, isFolded)) continue;
    try {
      const found = decoded(event);
      if (found !== undefined) recorded.push(found);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      return { recorded, passed: events.slice(0, index), undecodable: error };
    }
  }
  return { recorded, passed: events, undecodable: undefined };
}

export function keysFor({ projection }: Target, events: readonly Recorded[]): readonly string[] {
  return keysOf(projection, events);
}

/** What the events change, given the stored documents of `keysFor`. */
export function commitOf(
  { projection, generation }: Target,
  stored: ReadonlyMap<string, StoredDocument>,
  events: readonly Recorded[],
): CollectionCommit {
  return { collection: projection, generation, changes: foldEvents(projection, stored, events) };
}

export function checkpointOf(
  { projection, generation }: Pick<Target, 'projection' | 'generation'>,
  checkpoint: Position,
): CollectionCommit {
  return { collection: projection, generation, changes: [], checkpoint };
}

/** Saves positions that were reached without documents to write. */
export async function saveCheckpoints(
  readModel: Pick<ReadModel, 'commit'>,
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return;
  const reached = targets.map((target) => ({ target, position: target.position }));
  await readModel.commit(reached.map(({ target, position }) => checkpointOf(target, position)));
  for (const { target, position } of reached) if (target.position === position) target.passed = 0;
}
