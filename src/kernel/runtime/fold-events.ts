/** Folds events into the documents of projections, skipping what a document has already seen, and writes them in slices. */
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
 * The changes that the events make, in order, given the stored documents of `keysOf`. All events of one document become
 * one change, but one by which it first exists, or enters or leaves a list, stays a change of its own: read models order
 * documents by the positions of these, which must be the same whether events are folded one by one or many at once.
 */
export function foldEvents(
  projection: Projection,
  stored: ReadonlyMap<string, StoredDocument>,
  events: readonly Recorded[],
): readonly DocumentChange[] {
  const changes: DocumentChange[] = [];
  /** The last change of each document; a fixed one is not replaced by the next. */
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
      const isFixed = before === undefined || !staysInPlace(projection, before.document, document);
      if (last === undefined || last.isFixed || isFixed) {
        lastOf.set(key, { index: changes.push(change) - 1, isFixed });
      } else {
        changes[last.index] = change;
      }
    }
  }
  return changes;
}

function staysInPlace(
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

/** Events in a batch that takes the event loop for long. */
const LARGE = 512;

/** Projections whose documents are loaded concurrently, if they are on a server. */
const LOADED_AT_ONCE = 8;
const FOLDED_AT_ONCE = 2;

interface Folded {
  readonly commit: CollectionCommit;
  /** ISO 8601: the time when the last handled event was recorded. */
  readonly lastEventAt: string | undefined;
}

interface FoldParts {
  readonly reader: Pick<EventReader, 'read'>;
  readonly readModel: Pick<ReadModel, 'load'>;
  /** True if the documents are on a server. */
  readonly isRemote: boolean;
  /** True if the target is the only one that reads this batch. */
  readonly isAlone: () => boolean;
  /** The target cannot continue with the others, which must not wait for it. */
  readonly leaveAlone: (target: Target) => void;
}

/**
 * Rejects when the store does not answer, and when the only target cannot fold the batch. `passed`: the events that were folded,
 * which are those before the first that cannot be decoded.
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
      // A store that does not answer is no fault of one of them.
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

/** Changes that most machines commit in a few milliseconds. */
const SLICE = 256;

/**
 * Commits the same changes in the same order, in slices. Checkpoints come with the last slice alone: an interruption leaves
 * documents that are ahead of their checkpoint, which folds skip by their positions.
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
