/** Folds a batch of the log into the documents of several targets: reads and computes, and writes nothing. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent } from '../ports/event-store.ts';
import type { CollectionCommit, ReadModel } from '../ports/read-model.ts';
import type { EventUndecodable } from './event-codec.ts';
import { type EventReader, readInOrder } from './event-reader.ts';
import { foldEvents, keysOf } from './fold-events.ts';
import type { Target } from './projection-target.ts';

/** Events in a batch that takes the event loop for long. */
const LARGE = 512;

/** Projections whose documents are loaded concurrently, if they are on a server. */
const LOADED_AT_ONCE = 8;
const FOLDED_AT_ONCE = 2;

export interface Folded {
  readonly commit: CollectionCommit;
  /** ISO 8601: when the last handled event was recorded. */
  readonly lastEventAt: string | undefined;
}

export interface FoldedBatch {
  readonly folded: ReadonlyMap<Target, Folded>;
  /** The events that were folded: those before the first that cannot be decoded. */
  readonly passed: readonly RecordedEvent[];
  readonly undecodable: EventUndecodable | undefined;
}

export interface FoldParts {
  readonly reader: Pick<EventReader, 'read' | 'mayBecome'>;
  readonly readModel: Pick<ReadModel, 'load'>;
  /** Whether the documents are on a server. */
  readonly isRemote: boolean;
  /** Whether the target is the only one that reads this batch. */
  readonly isAlone: () => boolean;
  /** The target cannot go on with the others, which must not wait for it. */
  readonly leaveAlone: (target: Target) => void;
}

/** Rejects when the store does not answer, and when the only target cannot fold the batch. */
export async function foldBatch(
  targets: readonly Target[],
  events: readonly RecordedEvent[],
  { reader, readModel, isRemote, isAlone, leaveAlone }: FoldParts,
): Promise<FoldedBatch> {
  const isLarge = events.length > LARGE;
  const folded = new Map<Target, Folded>();
  let passed = events;
  let undecodable: EventUndecodable | undefined;
  let failure: unknown;

  async function fold(target: Target): Promise<void> {
    if (isLarge) await nextTurn();
    try {
      const { projection, generation, position } = target;
      const isFolded = (type: string) => projection.on[type] !== undefined;
      const found = await readInOrder(reader, after(position, events), isFolded);
      // The others of the group must not wait with it.
      if (found.undecodable !== undefined && !isAlone()) throw found.undecodable;
      if (found.undecodable !== undefined) ({ undecodable, passed } = found);
      const { recorded } = found;
      const stored = await readModel.load(projection, keysOf(projection, recorded), generation);
      const changes = foldEvents(projection, stored, recorded);
      folded.set(target, {
        commit: { collection: projection, generation, changes },
        lastEventAt: recorded.at(-1)?.metadata.occurredAt ?? target.lastEventAt,
      });
    } catch (error) {
      // What cannot be read at all is no fault of one of them.
      if (isAlone() || error instanceof StoreUnavailable) failure ??= error;
      else leaveAlone(target);
    }
  }

  // A look-up on a server is mostly waiting; of many events, the folding is what takes the time.
  const most = isLarge ? FOLDED_AT_ONCE : LOADED_AT_ONCE;
  await pMap(targets, fold, { concurrency: isRemote ? most : 1 });
  if (failure !== undefined) throw failure;
  return { folded, passed, undecodable };
}

function after(position: Position, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.filter((event) => event.position > position);
}
