/**
 * Updates every projection through a subscription with a checkpoint. While a new build is filled, the build that queries
 * read is updated as well.
 */
import { setMaxListeners } from 'node:events';
import { StoreUnavailable } from '../ports/errors.ts';
import { type EventStore, type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { CollectionCommit, ReadModel } from '../ports/read-model.ts';
import { WriterReplaced } from '../ports/shared-read-model.ts';
import { createCondition } from './condition.ts';
import { isFileBacked, type Projection, type ReadFiles } from './define-projection.ts';
import { errorMessage } from './error-message.ts';
import { detailsOf, type EventUndecodable, type Recorded } from './event-codec.ts';
import { type EventReader, readInOrder } from './event-reader.ts';
import { commitInSlices, foldBatch } from './fold-events.ts';
import { latestOf, otherLog, sourceOf } from './log-source.ts';
import {
  checkpointOf,
  hasReached,
  isBuilt,
  isUpToDate,
  newBuilds,
  newTarget,
  type ProjectionBuilds,
  type ProjectionStatus,
  placeTargets,
  saveCheckpoints,
  servedOf,
  statusOf,
  type Target,
  targetsOf,
} from './projection-target.ts';
import { retry } from './retry.ts';
import { runSubscription } from './subscription-runner.ts';

/** Number of advances without documents to write after which checkpoints are saved, so that a restart reads few events. */
const CHECKPOINT_EVERY = 1_000;

/** Maximum number of events folded together; larger batches save writes of documents that change often. */
const BATCH = 4_096;

/** Milliseconds before each attempt to make a build live while the read model does not respond. */
const GO_LIVE_PAUSES = [20, 100, 500, 2_000];

/** Maximum milliseconds to wait until a new build has reached the position of the superseded build. */
const FORMER_TIMEOUT = 5_000;

export interface ProjectorOptions {
  readonly projections: readonly Projection[];
  readonly reader: Pick<EventReader, 'read' | 'pause'>;
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Present if other processes read the read model, and may write it after this one. */
  readonly shared?: {
    /** Called after a change that other processes cannot see in a commit. */
    readonly changed: () => void;
    /** Called when another process has become the writer; nothing more is written here. */
    readonly replaced: (error: WriterReplaced) => void;
  };
  /** Stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Reads the files that an event names, for projections built from files. */
  readonly filesOf?: ReadFiles;
  readonly logger: Logger;
}

/** Progress of the read models, written by this or another process. */
export interface Projections {
  /** Starts to update every projection to the head of the log and beyond. Resolves once started. */
  start(): Promise<void>;
  status(): readonly ProjectionStatus[];
  /** True if queries include all recorded events, except those being handled. */
  isCurrent(projection: Projection): boolean;
  /** Resolves with true once no projection is being built, except for those that read files; with false on timeout. */
  whenBuilt(milliseconds: number): Promise<boolean>;
  /** Resolves with true once queries of every working projection include the position; with false on timeout. */
  waitFor(position: Position, milliseconds: number): Promise<boolean>;
  /**
   * Starts a new build of the projection from the whole log, while queries read the present one. Resolves with false if it
   * is already being built.
   */
  rebuild(projection: Projection, actor: string): Promise<boolean>;
  stop(): Promise<void>;
}

export interface Projector extends Projections {
  rebuild(projection: Projection): Promise<boolean>;
  /**
   * Resolves once every up-to-date projection includes the position, or on timeout. Skips projections that are being built,
   * catch up or have failed.
   */
  untilProjected(position: Position, milliseconds: number): Promise<void>;
  /** Saves positions reached without documents to write, because other processes wait for them. */
  saveCheckpoints(): Promise<void>;
}

export function createProjector(options: ProjectorOptions): Projector {
  const { store, readModel, shared } = options;
  const work = newProjectorWork(options);
  const { all, condition, stopping } = work;
  const goLive = createGoLive(work, options);
  /** End of the log when the projector started. */
  let head = START;
  const status = () => all.map((builds) => statusOf(builds, head, (position) => store.extentOf(position)));
  const buildsOf = (projection: Projection) => all.find((builds) => builds.projection === projection);

  /** Reads the log for these targets, from the earliest of their positions. */
  function begin(group: readonly Target[]): void {
    const reading = { ...options, work, goLive, begin };
    const plain = group.filter(({ projection }) => !isFileBacked(projection));
    if (plain.length > 0) work.begin(readLogFor(plain, reading));
    // Projections without files do not wait for files.
    for (const target of group)
      if (isFileBacked(target.projection)) work.begin(readLogFor([target], reading));
  }

  return {
    status,

    saveCheckpoints: () =>
      saveCheckpoints(
        readModel,
        targetsOf(all).filter(({ passed, retired }) => passed > 0 && !retired),
      ),

    async start() {
      await readModel.prepare(all.map(({ projection }) => projection));
      head = await store.head();
      const source = await sourceOf(store, readModel);
      if (shared !== undefined && !source.isSameLog) throw otherLog();
      for (const builds of all) await placeTargets(builds, readModel, { ...source, head });
      // Must be saved last: if the process ends before, the next start finds the old source and empties the remaining
      // builds.
      await source.save();
      const targets = targetsOf(all);
      begin(targets.filter(({ isServed }) => isServed));
      // Started separately, so that builds far behind do not delay those that queries read.
      begin(targets.filter(({ isServed }) => !isServed));
    },

    isCurrent(projection) {
      const builds = buildsOf(projection);
      return builds !== undefined && isUpToDate(builds) && servedOf(builds)?.retired === false;
    },

    whenBuilt: (milliseconds) => condition.until(() => status().every(isBuilt), milliseconds),

    waitFor: (position, milliseconds) =>
      condition.until(() => all.every((builds) => hasReached(builds, position)), milliseconds),

    async untilProjected(position, milliseconds) {
      const isProjected = (builds: ProjectionBuilds) => !isUpToDate(builds) || hasReached(builds, position);
      await condition.until(() => stopping.signal.aborted || all.every(isProjected), milliseconds);
    },

    async rebuild(projection) {
      const builds = buildsOf(projection);
      const { own } = builds ?? {};
      if (builds === undefined || own === undefined || own.state === 'building' || builds.isRenewing)
        return false;
      builds.isRenewing = true;
      try {
        const generation = await readModel.renew(projection, 'live');
        if (own.isServed) builds.former = own;
        builds.own = newTarget({ projection, generation, categories: builds.categories, isServed: false });
        begin([builds.own]);
        return true;
      } finally {
        builds.isRenewing = false;
      }
    },

    async stop() {
      stopping.abort();
      condition.notify();
      await work.ended();
      await Promise.all(targetsOf(all).map(({ saving }) => saving));
    },
  };
}

type ProjectorWork = ReturnType<typeof newProjectorWork>;

/** Builds of a projector and its running work. */
function newProjectorWork({
  projections,
  categoryOfType,
  shared,
  logger,
}: Pick<ProjectorOptions, 'projections' | 'categoryOfType' | 'shared' | 'logger'>) {
  const condition = createCondition();
  const underWay: Promise<void>[] = [];
  const stopping = new AbortController();
  // Each subscription adds a listener.
  setMaxListeners(0, stopping.signal);

  /** Announces a change that other processes must see as well. */
  function changed(): void {
    condition.notify();
    shared?.changed();
  }

  /** True if another process is the writer now, which ends all work here. */
  function isOver(error: unknown): boolean {
    if (shared === undefined) return false;
    if (stopping.signal.aborted) return true;
    if (!(error instanceof WriterReplaced)) return false;
    stopping.abort();
    shared.replaced(error);
    return true;
  }

  return {
    all: projections.map((projection) => newBuilds(projection, categoryOfType)),
    condition,
    stopping,
    changed,
    isOver,
    /** Registers work that `ended` waits for, and that never rejects. */
    begin: (work: Promise<void>) => void underWay.push(work),
    /** Resolves once all registered work has ended. */
    async ended() {
      // Awaited one by one, because work may register more work.
      for (const work of underWay) await work;
    },

    /** Stops updates of the target until a restart or a rebuild. */
    fail(target: Target, error: unknown): void {
      if (isOver(error)) return;
      target.state = 'failed';
      target.error = errorMessage(error);
      const { projection, generation } = target;
      if (!target.retired)
        logger.warn(
          { projection: projection.name, version: generation.version, error: target.error },
          'projection stopped',
        );
      changed();
    },

    /** Stops the target before the event: queries include earlier events and no later ones. */
    block(target: Target, { event, message }: EventUndecodable): void {
      target.blockedBy = { event, before: target.blockedBy?.before ?? target.state };
      target.state = 'failed';
      target.error = message;
      const { name: projection } = target.projection;
      logger.warn({ projection, ...detailsOf(event) }, 'projection waits at an undecodable event');
      changed();
    },

    unblock(target: Target): void {
      if (target.blockedBy === undefined) return;
      target.state = target.blockedBy.before;
      target.blockedBy = undefined;
      logger.info({ projection: target.projection.name }, 'projection continues');
    },
  };
}

/** Starts to make a target live; does nothing if that is already running. */
function createGoLive(
  work: ProjectorWork,
  { readModel, shared }: Pick<ProjectorOptions, 'readModel' | 'shared'>,
): (target: Target) => void {
  const { signal } = work.stopping;

  async function replaceFormer(builds: ProjectionBuilds, target: Target): Promise<void> {
    // The documents of the superseded build are removed when the new ones go live, so nothing may be written to them from now on.
    const { former } = builds;
    if (shared !== undefined && former !== undefined) {
      former.retired = true;
      // Other processes switch later, and documents that they have read must not disappear.
      const isReady = () => signal.aborted || target.position >= former.position;
      await work.condition.until(isReady, FORMER_TIMEOUT);
    }
    await whileUnavailable(target, async () => {
      await readModel.commit([checkpointOf(target, target.position)]);
      if (builds.former !== undefined) builds.former.retired = true;
      await readModel.goLive(target.projection);
    });
    target.isServed = true;
    builds.former = undefined;
    // An undecodable event may have stopped the target since; then its state does not change.
    if (target.state === 'building') target.state = 'live';
    work.changed();
  }

  /** Retries until the read model responds or this projector is stopped. */
  function whileUnavailable(target: Target, attempt: () => Promise<void>): Promise<void> {
    return retry(attempt, {
      pauses: GO_LIVE_PAUSES,
      signal,
      failed(error) {
        if (shared === undefined || !(error instanceof StoreUnavailable)) throw error;
        target.error = errorMessage(error);
      },
    });
  }

  return (target) => {
    const builds = work.all.find(({ own }) => own === target);
    if (builds === undefined) {
      // Queries already read an older build.
      if (target.state === 'building') target.state = 'live';
      work.changed();
      return;
    }
    // The subscription reports progress while this runs.
    if (target.isGoingLive) return;
    target.isGoingLive = true;
    work.begin(
      replaceFormer(builds, target).catch((error: unknown) => {
        if (builds.former?.retired) builds.former = undefined;
        work.fail(target, error);
      }),
    );
  };
}

interface ReadingParts extends ProjectorOptions {
  readonly work: ProjectorWork;
  readonly goLive: (target: Target) => void;
  readonly begin: (group: readonly Target[]) => void;
}

/** Reads the log for a group of targets through one subscription, folds each batch and commits it. */
async function readLogFor(group: readonly Target[], parts: ReadingParts): Promise<void> {
  const { store, reader, readModel, shared, logger, work, goLive, begin } = parts;
  const { signal } = work.stopping;
  const members = new Set(group);
  const active = () => [...members].filter(({ retired }) => !retired);
  const [first, ...others] = group;
  const readsFiles = first !== undefined && isFileBacked(first.projection);
  /** Newest event of each subject whose file is unread. Failed files are retried with the next batch. */
  const unread = new Map<string, Recorded>();

  /** Commits in slices if other writers wait for the file; on a server, each commit costs a round trip instead. */
  async function commit(commits: readonly CollectionCommit[]): Promise<void> {
    if (shared === undefined) await commitInSlices(readModel, commits);
    else await readModel.commit(commits);
  }

  function reach(target: Target, position: Position): void {
    // The checkpoint stays before an unread file, so that a restart reads it.
    if (position > target.position && unread.size === 0) {
      target.position = position;
      target.passed += 1;
    }
    if (target.state === 'building')
      target.pace.reached(store.extentOf(target.position).amount, performance.now());
  }

  /** Advances the target and clears its error, which in a quiet log no event would do. */
  function reachAndRecover(target: Target, position: Position): void {
    reach(target, position);
    if (target.blockedBy === undefined && unread.size === 0) target.error = undefined;
  }

  function reachAll(position: Position): void {
    for (const target of active()) reachAndRecover(target, position);
    saveReached(active());
    work.condition.notify();
  }

  /** Saves checkpoints, so that a restart need not read events that the projection does not fold. */
  function saveReached(targets: readonly Target[]): void {
    const saving = saveCheckpoints(readModel, targets).catch((error: unknown) => {
      if (work.isOver(error)) return;
      for (const { projection } of targets)
        logger.warn(
          { projection: projection.name, error: errorMessage(error) },
          'projection checkpoint not saved',
        );
    });
    for (const target of targets) target.saving = saving;
  }

  /** Writes the documents of each subject's newest file. A missing or damaged file delays only its subject. */
  async function handleFiles(target: Target, events: readonly RecordedEvent[]): Promise<void> {
    const { projection, position } = target;
    const found = await readInOrder(
      reader,
      events.filter((event) => event.position > position),
      (type) => projection.on[type] !== undefined,
    );
    for (const event of found.recorded) unread.set(projection.subjectOf?.(event) ?? event.stream, event);
    let problem: string | undefined;
    for (const [subject, event] of unread) {
      try {
        await writeFile(target, event);
        unread.delete(subject);
      } catch (error) {
        if (!(error instanceof FileUnreadable)) throw error;
        problem ??= error.message;
      }
      if (target.retired || signal.aborted) return;
    }
    if (problem !== undefined && problem !== target.error)
      logger.warn({ projection: projection.name, error: problem }, 'projection waits for a file');
    target.error = problem;
    target.lastEventAt = found.recorded.at(-1)?.metadata.occurredAt ?? target.lastEventAt;
    reachAll(found.passed.at(-1)?.position ?? START);
    if (found.undecodable !== undefined) throw found.undecodable;
    work.unblock(target);
  }

  async function writeFile({ projection, generation }: Target, event: Recorded): Promise<void> {
    for await (const documents of readableFiles(event)) {
      const changes = documents.map((each) => ({ ...each, position: event.position }));
      await commit([{ collection: projection, generation, changes }]);
    }
  }

  async function* readableFiles(event: Recorded): ReturnType<ReadFiles> {
    try {
      yield* parts.filesOf?.(event) ?? [];
    } catch (error) {
      // If the store does not respond, the subscription retries soon.
      throw error instanceof StoreUnavailable ? error : new FileUnreadable(errorMessage(error));
    }
  }

  async function handleBatch(events: readonly RecordedEvent[]): Promise<void> {
    const { folded, passed, undecodable } = await foldBatch(active(), events, {
      reader,
      readModel,
      isRemote: shared !== undefined,
      isAlone: () => members.size === 1,
      leaveAlone(target) {
        members.delete(target);
        begin([target]);
      },
    });
    const targets = active();
    const reached = passed.at(-1)?.position ?? START;
    await commit([
      ...latestOf(passed),
      ...targets.flatMap((target) => folded.get(target)?.commit ?? []),
      // Includes targets that the batch does not change, because another process may wait for the position in the
      // checkpoint.
      ...targets.map((target) => checkpointOf(target, reached > target.position ? reached : target.position)),
    ]);
    for (const target of targets) {
      target.lastEventAt = folded.get(target)?.lastEventAt;
      reach(target, reached);
      target.passed = 0;
    }
    if (undecodable !== undefined) throw undecodable;
    const hadTrouble = targets.some(({ error }) => error !== undefined);
    for (const target of targets) {
      target.error = undefined;
      work.unblock(target);
    }
    if (hadTrouble) work.changed();
    else work.condition.notify();
  }

  function caughtUp(position: Position): 'stay' | 'leave' {
    const isNews = active().some((target) => target.position < position || target.error !== undefined);
    for (const target of active()) reachAndRecover(target, position);
    if (active().length === 0) return 'leave';
    for (const target of active()) if (target.state === 'building') goLive(target);
    saveReached(active().filter(({ passed }) => passed >= CHECKPOINT_EVERY));
    // Callers do not wait for projections that read files.
    if (isNews && !readsFiles) work.changed();
    else work.condition.notify();
    return 'stay';
  }

  function noteFailure(error: unknown, final: boolean): void {
    if (signal.aborted) return;
    for (const target of active()) {
      const isKnown = error instanceof StoreUnavailable && target.error === errorMessage(error);
      target.error = errorMessage(error);
      const { name: projection } = target.projection;
      if (!isKnown) logger.warn({ projection, error: target.error, final }, 'projection failed');
    }
    work.changed();
  }

  const end = await runSubscription({
    store,
    after: others.reduce(
      (least, { position }) => (position < least ? position : least),
      first?.position ?? START,
    ),
    categories: [...new Set(group.flatMap(({ categories }) => categories))],
    batchSize: BATCH,
    signal,
    isFinal: work.isOver,
    handle: (events) => (readsFiles ? handleFiles(first, events) : handleBatch(events)),
    blocked(error) {
      for (const target of active()) work.block(target, error);
    },
    pauseWhileBlocked: reader.pause,
    caughtUp,
    passed: reachAll,
    failed: noteFailure,
  });
  // Failures while the process stops do not count.
  if (end !== 'failed' || signal.aborted) return;
  const targets = active();
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) work.fail(only, only.error);
  // One of the targets cannot be written, and the error does not identify it.
  else for (const target of targets) begin([target]);
}

/** A file named in an event is missing or damaged. */
class FileUnreadable extends Error {}
