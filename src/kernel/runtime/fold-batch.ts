/** Folds a batch of the log into the documents of several targets: reads and computes, and writes nothing. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import type { RecordedEvent } from '../ports/event-store.ts';
import type { CollectionCommit, ReadModel } from '../ports/read-model.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import type { EventUndecodable } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { commitOf, type Decoded, decodedOnce, eventsFor, keysFor, type Target } from './projection-target.ts';

/** Bounds how long one step of a large batch keeps the event loop busy. */
const DECODED_AT_A_TIME = 512;

/** Projections whose documents are looked up at the same time, where that is asked of a server. */
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
  readonly reader: Pick<EventReader, 'read' | 'readNow' | 'mayBecome'>;
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
  const decoded = await decodedInTurns(targets, events, reader);
  const isLarge = events.length > DECODED_AT_A_TIME;
  const folded = new Map<Target, Folded>();
  let passed = events;
  let undecodable: EventUndecodable | undefined;
  let failure: unknown;

  async function fold(target: Target): Promise<void> {
    if (isLarge) await nextTurn();
    try {
      const found = eventsFor(target, events, decoded, reader.mayBecome);
      // The others of the group must not wait with it.
      if (found.undecodable !== undefined && !isAlone()) throw found.undecodable;
      if (found.undecodable !== undefined) ({ undecodable, passed } = found);
      const { recorded } = found;
      const stored = await readModel.load(target.projection, keysFor(target, recorded), target.generation);
      const commit = commitOf(target, stored, recorded);
      folded.set(target, {
        commit,
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

/** Decodes what the targets fold, a part at a time; what cannot be decoded fails the targets that fold it. */
async function decodedInTurns(
  targets: readonly Target[],
  events: readonly RecordedEvent[],
  reader: FoldParts['reader'],
): Promise<Decoded> {
  const decoded = decodedOnce(reader.readNow);
  const types = new Set(targets.flatMap(({ projection }) => Object.keys(projection.on)));
  const isWanted = (type: string) => types.has(type);
  for (const [index, event] of events.entries()) {
    if (index > 0 && index % DECODED_AT_A_TIME === 0) await nextTurn();
    try {
      if (reader.mayBecome(event, isWanted)) decoded(event);
    } catch {
      // An operator may have quarantined it; else each target that folds it finds the same error.
      await lookUp(event, reader);
    }
  }
  return decoded;
}

async function lookUp(event: RecordedEvent, reader: FoldParts['reader']): Promise<void> {
  try {
    await reader.read(event);
  } catch {
    // The error is found again by each target that folds the event.
  }
}
