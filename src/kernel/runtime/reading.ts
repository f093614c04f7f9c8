/** Reads the log for a group of builds through one subscription, folds each batch and commits it. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import { StoreUnavailable } from '../ports/errors.ts';
import { type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { CollectionCommit, ReadModel } from '../ports/read-model.ts';
import { isFiled, type ReadFiles } from './define-projection.ts';
import type { EventUndecodable } from './event-codec.ts';
import { type EventReader, readInOrder } from './event-reader.ts';
import { createFileReads, type FileReads } from './file-reads.ts';
import { foldEvents, keysOf } from './fold-events.ts';
import { latestOf } from './log-source.ts';
import { messageOf } from './message-of.ts';
import { checkpointOf, saveCheckpoints, type Target } from './projection-target.ts';
import type { ProjectionTrouble, ProjectorOptions, ProjectorWork } from './projector-work.ts';
import { commitInSlices } from './sliced-commits.ts';
import { runSubscription, type SubscriptionOptions } from './subscription-runner.ts';

/** After so many advances without documents to write, checkpoints are saved too, so that a restart reads little. */
const CHECKPOINT_EVERY = 1_000;

/** Events folded at a time while much is to be read: the more, the fewer writes of documents that change often. */
const BATCH = 4_096;

interface ReadingParts
  extends Pick<ProjectorOptions, 'reader' | 'store' | 'readModel' | 'shared' | 'logger' | 'filesOf'> {
  readonly work: ProjectorWork;
  readonly trouble: ProjectionTrouble;
  readonly goLive: (target: Target) => void;
}

interface Reading extends ReadingParts {
  readonly members: Set<Target>;
  readonly begin: BeginReading;
  /** Given if the only member's documents come from files. */
  files?: FileReads;
}

/** Begins to read the log for these targets, from where the one that is furthest behind stands. */
export type BeginReading = (group: readonly Target[]) => void;

export function createReadings(parts: ReadingParts): BeginReading {
  /** Others do not wait for files: a target that reads them does so alone. */
  function begin(group: readonly Target[]): void {
    const members = new Set(group.filter(({ projection }) => !isFiled(projection)));
    if (members.size > 0) parts.work.begin(run({ ...parts, members, begin }));
    for (const target of group) {
      if (!isFiled(target.projection)) continue;
      const reading: Reading = { ...parts, members: new Set([target]), begin };
      reading.files = fileReadsOf(reading, target);
      parts.work.begin(run(reading));
    }
  }
  return begin;
}

function fileReadsOf(reading: Reading, target: Target): FileReads {
  const { work, trouble, logger, filesOf = noFiles } = reading;
  const { projection, generation } = target;
  const { signal } = work.stopping;
  const hasFailed = () => target.state === 'failed' && target.blockedBy === undefined;
  return createFileReads({
    after: target.position,
    filesOf,
    subjectOf: projection.subjectOf ?? (({ stream }) => stream),
    signal,
    begin: work.begin,
    isOver: (error) => signal.aborted || target.retired || hasFailed() || trouble.isOver(error),
    async write(documents, position) {
      const changes = documents.map((each) => ({ ...each, position }));
      await commit(reading, [{ collection: projection, generation, changes }]);
    },
    failed: (error, position) =>
      logger.warn({ projection: projection.name, position, error }, 'projection waits for a file'),
    retried: () => filesRead(reading, target),
  });
}

async function* noFiles(): ReturnType<ReadFiles> {}

/** Documents of files are written before this, and the checkpoint after them. */
function filesRead(reading: Reading, target: Target): void {
  reach(reading, target, START);
  recovered(reading, target);
  saveReached(reading, [target]);
  reading.work.moved();
}

async function handleFiles(
  reading: Reading,
  files: FileReads,
  events: readonly RecordedEvent[],
): Promise<void> {
  const { reader, trouble } = reading;
  const [target] = active(reading);
  if (target === undefined) return;
  const isFolded = (type: string) => target.projection.on[type] !== undefined;
  try {
    for (const event of events) {
      const found = reader.mayBecome(event, isFolded) ? await reader.read(event) : undefined;
      if (found !== undefined) files.add(found);
      target.lastEventAt = found?.metadata.occurredAt ?? target.lastEventAt;
      files.upTo(event.position);
    }
  } finally {
    await files.read();
  }
  trouble.unblock(target);
  filesRead(reading, target);
}

async function run(reading: Reading): Promise<void> {
  const { work, trouble, begin } = reading;
  const end = await runSubscription(subscriptionOf(reading));
  // Failures while the process stops are no fault of a projection.
  if (end !== 'failed' || work.stopping.signal.aborted) return;
  const targets = active(reading);
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) trouble.fail(only, only.error);
  // One of them cannot be written, and nothing tells which.
  else for (const target of targets) begin([target]);
}

function active({ members }: Reading): readonly Target[] {
  return [...members].filter((target) => !target.retired);
}

function subscriptionOf(reading: Reading): SubscriptionOptions {
  const { store, reader, work, trouble } = reading;
  const [first, ...others] = [...reading.members].map(({ position }) => position);
  return {
    store,
    after: others.reduce((least, position) => (position < least ? position : least), first ?? START),
    categories: [...new Set([...reading.members].flatMap(({ categories }) => categories))],
    batchSize: BATCH,
    signal: work.stopping.signal,
    isFinal: trouble.isOver,
    handle: (events) =>
      reading.files === undefined
        ? handleBatch(reading, events)
        : handleFiles(reading, reading.files, events),
    blocked(error) {
      for (const target of active(reading)) trouble.block(target, error);
    },
    pauseWhileBlocked: reader.pause,
    caughtUp: (position) => caughtUp(reading, position),
    passed(position) {
      for (const target of active(reading)) {
        reach(reading, target, position);
        recovered(reading, target);
      }
      saveReached(reading, active(reading));
      work.moved();
    },
    failed: (error, final) => noteFailure(reading, error, final),
  };
}

/** In slices where others wait for the file that is written; on a server each commit costs round trips instead. */
async function commit({ readModel, shared }: Reading, commits: readonly CollectionCommit[]): Promise<void> {
  if (shared === undefined) await commitInSlices(readModel, commits);
  else await readModel.commit(commits);
}

async function handleBatch(reading: Reading, events: readonly RecordedEvent[]): Promise<void> {
  const { work, shared, trouble, members } = reading;
  const { folded, passed, undecodable } = await foldBatch(active(reading), events, {
    ...reading,
    isRemote: shared !== undefined,
    isAlone: () => members.size === 1,
    leaveAlone(target) {
      members.delete(target);
      reading.begin([target]);
    },
  });
  const targets = active(reading);
  const reached = passed.at(-1)?.position ?? START;
  await commit(reading, [
    ...latestOf(passed),
    ...targets.flatMap((target) => folded.get(target)?.commit ?? []),
    // Also of those that the batch does not touch: another process may wait until the checkpoint shows the position.
    ...targets.map((target) => checkpointOf(target, reached > target.position ? reached : target.position)),
  ]);
  for (const target of targets) {
    target.lastEventAt = folded.get(target)?.lastEventAt;
    reach(reading, target, reached);
    target.passed = 0;
  }
  if (undecodable !== undefined) throw undecodable;
  const hadTrouble = targets.some(({ error }) => error !== undefined);
  for (const target of targets) {
    target.error = undefined;
    trouble.unblock(target);
  }
  if (hadTrouble) work.changed();
  else work.moved();
}

function caughtUp(reading: Reading, position: Position): 'stay' | 'leave' {
  const { work, files } = reading;
  const isNews = active(reading).some((target) => target.position < position || target.error !== undefined);
  for (const target of active(reading)) {
    reach(reading, target, position);
    recovered(reading, target);
  }
  if (active(reading).length === 0) return 'leave';
  for (const target of active(reading)) if (target.state === 'building') reading.goLive(target);
  saveReached(
    reading,
    active(reading).filter(({ passed }) => passed >= CHECKPOINT_EVERY),
  );
  // Nobody waits for one that reads files.
  if (isNews && files === undefined) work.changed();
  else work.moved();
  return 'stay';
}

function reach({ store, files }: Reading, target: Target, position: Position): void {
  const reached = files === undefined ? position : files.upTo(position);
  if (reached > target.position) {
    target.position = reached;
    target.passed += 1;
  }
  if (target.state === 'building')
    target.pace.reached(store.extentOf(target.position).amount, performance.now());
}

/** The log was read up to here: a quiet log has no event that would show it. */
function recovered({ files }: Reading, target: Target): void {
  if (target.blockedBy === undefined) target.error = files?.error();
}

/** A restart then need not read events that the projection does not fold. */
function saveReached({ readModel, trouble }: Reading, targets: readonly Target[]): void {
  const saving = saveCheckpoints(readModel, targets).catch((error: unknown) => {
    for (const target of targets) trouble.notSaved(target, error);
  });
  for (const target of targets) target.remembering = saving;
}

function noteFailure(reading: Reading, error: unknown, final: boolean): void {
  const { work, logger } = reading;
  if (work.stopping.signal.aborted) return;
  for (const target of active(reading)) {
    const isKnown = error instanceof StoreUnavailable && target.error === messageOf(error);
    target.error = messageOf(error);
    const { name: projection } = target.projection;
    if (!isKnown) logger.warn({ projection, error: target.error, final }, 'projection failed');
  }
  work.changed();
}

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
