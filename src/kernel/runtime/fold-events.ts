/** Folds events into the documents of projections, skipping events that a document already includes, and commits in slices. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent } from '../ports/event-store.ts';
import type {
  CollectionCommit,
  Document,
  DocumentChange,
  ReadModel,
  StoredDocument,
} from '../ports/read-model.ts';
import type { Projection } from './define-projection.ts';
import type { EventUndecodable, Recorded } from './event-codec.ts';
import { type EventReader, readInOrder } from './event-reader.ts';
import type { Target } from './projection-target.ts';

export function keysOf(projection: Projection, events: readonly Recorded[]): readonly string[] {
  const keys = new Set<string>();
  for (const event of events) for (const key of keysOfOne(projection, event)) keys.add(key);
  return [...keys];
}

/**
 * Changes made by the events, in order, based on the stored documents of `keysOf`. The changes of one document are
 * merged, except those by which it first exists, enters a list or leaves one. Read models order documents by the
 * positions of these changes, so they must not depend on the batch size.
 */
export function foldEvents(
  projection: Projection,
  stored: ReadonlyMap<string, StoredDocument>,
  events: readonly Recorded[],
): readonly DocumentChange[] {
  const changes: DocumentChange[] = [];
  /** Last change of each document. A fixed change stays separate from later ones. */
  const lastOf = new Map<string, { readonly index: number; readonly isFixed: boolean }>();
  for (const event of events) {
    const handler = projection.on[event.type];
    if (handler === undefined) continue;
    for (const key of keysOfOne(projection, event)) {
      const last = lastOf.get(key);
      const before = last === undefined ? stored.get(key) : changes[last.index];
      if (before !== undefined && before.position >= event.position) continue;
      const document: Document | undefined = handler.apply(before?.document, event);
      if (document === undefined && before === undefined) continue;
      const change = { key, position: event.position, document };
      const isFixed = before === undefined || !isUnmoved(projection, before.document, document);
      if (last === undefined || last.isFixed || isFixed) {
        lastOf.set(key, { index: changes.push(change) - 1, isFixed });
      } else {
        changes[last.index] = change;
      }
    }
  }
  return changes;
}

function isUnmoved(
  { lists = {} }: Projection,
  before: Document | undefined,
  after: Document | undefined,
): boolean {
  return Object.values(lists).every((placeOf) => (before && placeOf(before)) === (after && placeOf(after)));
}

function keysOfOne(projection: Projection, event: Recorded): readonly string[] {
  const key = projection.on[event.type]?.key(event);
  if (key === undefined) return [];
  return typeof key === 'string' ? [key] : key;
}

/** Number of events above which a batch blocks the event loop noticeably. */
const LARGE = 512;

/** Projections processed concurrently if the documents are on a server: in small batches, and in large ones. */
const CONCURRENT_IN_SMALL_BATCHES = 8;
const CONCURRENT_IN_LARGE_BATCHES = 2;

interface Folded {
  readonly commit: CollectionCommit;
  /** Time when the last handled event was recorded, ISO 8601. */
  readonly lastEventAt: string | undefined;
}

interface FoldParts {
  readonly reader: Pick<EventReader, 'read'>;
  readonly readModel: Pick<ReadModel, 'load'>;
  /** True if the documents are on a server. */
  readonly isRemote: boolean;
  /** True if the target is the only one that reads this batch. */
  readonly isAlone: () => boolean;
  /** Called for a target that must continue separately, so that other targets do not wait for it. */
  readonly leaveAlone: (target: Target) => void;
}

/**
 * Rejects if the store does not respond, or the only target cannot fold the batch. `passed`: the folded events, which are
 * those before the first undecodable one.
 */
export async function foldBatch(
  targets: readonly Target[],
  events: readonly RecordedEvent[],
  { reader, readModel, isRemote, isAlone, leaveAlone }: FoldParts,
) {
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
      // The other targets must not wait for the undecodable event.
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
      // An unresponsive store is not the fault of a single target.
      if (isAlone() || error instanceof StoreUnavailable) failure ??= error;
      else leaveAlone(target);
    }
  }

  // Look-ups on a server mostly wait; large batches mostly use the CPU.
  const most = isLarge ? CONCURRENT_IN_LARGE_BATCHES : CONCURRENT_IN_SMALL_BATCHES;
  await pMap(targets, fold, { concurrency: isRemote ? most : 1 });
  if (failure !== undefined) throw failure;
  return { folded, passed, undecodable };
}

function after(position: Position, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.filter((event) => event.position > position);
}

/** Changes per commit; most machines write that many in a few milliseconds. */
const SLICE = 256;

/**
 * Commits the same changes in the same order, in slices. Checkpoints are committed with the last slice only: an interruption
 * leaves documents ahead of their checkpoint, whose positions make folds skip the events.
 */
export async function commitInSlices(
  readModel: Pick<ReadModel, 'commit'>,
  commits: readonly CollectionCommit[],
): Promise<void> {
  let slice: CollectionCommit[] = [];
  let left = SLICE;
  for (const { checkpoint: _last, ...commit } of commits) {
    for (let first = 0; first < commit.changes.length; ) {
      const changes = commit.changes.slice(first, first + left);
      slice.push({ ...commit, changes });
      first += changes.length;
      left -= changes.length;
      if (left > 0) continue;
      await readModel.commit(slice);
      slice = [];
      left = SLICE;
    }
  }
  const checkpoints = commits
    .filter(({ checkpoint }) => checkpoint !== undefined)
    .map((commit) => ({ ...commit, changes: [] }));
  await readModel.commit([...slice, ...checkpoints]);
}
