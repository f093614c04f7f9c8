/** A generation of a projection's documents that the projector fills or keeps up to date. */
import { type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { CollectionCommit, Generation, StoredDocument } from '../ports/read-model.ts';
import type { Projection } from './define-projection.ts';
import type { Recorded } from './event-codec.ts';
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
  inline: boolean;
  position: Position;
  lastEventAt: string | undefined;
  error: string | undefined;
  /** Events since its last checkpoint that it does not fold. */
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
    inline: false,
    position,
    lastEventAt: undefined,
    error: undefined,
    passed: 0,
    remembering: Promise.resolve(),
  };
}

/** Gives the decoded event; decodes each once, whoever asks. Throws each time where it cannot be decoded. */
export type Decoded = (event: RecordedEvent) => Recorded;

export function decodedOnce(decode: Decoded): Decoded {
  const known = new Map<RecordedEvent, Recorded>();
  return (event) => {
    const found = known.get(event) ?? decode(event);
    known.set(event, found);
    return found;
  };
}

/** The events that the target folds and has not handled yet, decoded. */
export function eventsFor(
  { projection, position }: Target,
  events: readonly RecordedEvent[],
  decoded: Decoded,
): readonly Recorded[] {
  return events
    .filter((event) => projection.on[event.type] !== undefined && event.position > position)
    .map(decoded);
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

export function checkpointOf({ projection, generation }: Target, checkpoint: Position): CollectionCommit {
  return { collection: projection, generation, changes: [], checkpoint };
}
