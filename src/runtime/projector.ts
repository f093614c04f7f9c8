/**
 * Keeps every projection up to date: inside the append's transaction if store and read model share one, otherwise
 * through a subscription with a checkpoint. The projections' code is the same for both. While a generation of documents
 * is filled, the one that queries read until then is kept up to date as well.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventStore, type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { CollectionCommit, Generation, ReadModel } from '../ports/read-model.ts';
import { WriterReplaced } from '../ports/shared-read-model.ts';
import type { SynchronousReadModel } from '../ports/shared-transaction.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import type { Projection } from './define-projection.ts';
import { EventUndecodable, type UndecodableEvent } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { latestOf, otherLog, sourceOf } from './log-source.ts';
import { pauseFor } from './pause-for.ts';
import { groupTargets } from './projection-groups.ts';
import { decidePlace } from './projection-place.ts';
import {
  checkpointOf,
  commitOf,
  type Decoded,
  decodedOnce,
  eventsFor,
  keysFor,
  newTarget,
  type ProjectionState,
  type Target,
} from './projection-target.ts';
import { progressOf, type RebuildProgress } from './rebuild-progress.ts';
import { sideBySide } from './side-by-side.ts';
import { createSliceSize, slicedCommits } from './sliced-commits.ts';
import { runSubscription } from './subscription-runner.ts';
import { createWaiters } from './waiters.ts';

export type { ProjectionState } from './projection-target.ts';

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly state: ProjectionState;
  /** The version of the documents that queries read; undefined while they can read none. */
  readonly served: number | undefined;
  /** Whether these are kept up to date. */
  readonly isCurrent: boolean;
  /** Everything up to here has been handled. */
  readonly position: Position;
  /** While it is being built. */
  readonly progress: RebuildProgress | undefined;
  /** ISO 8601: when the last handled event was recorded. Undefined until one was handled since the start. */
  readonly lastEventAt: string | undefined;
  readonly error: string | undefined;
  /** The event that it cannot decode and waits at, until that is quarantined. */
  readonly blockedBy?: UndecodableEvent | undefined;
}

/** What another process must know to wait for what this one writes. */
export interface ProjectionProgress extends ProjectionStatus {
  /** What queries read; undefined while they can read nothing. */
  readonly reads: Generation | undefined;
  /** What these documents show; undefined while no write is to be waited for in them. */
  readonly shown: Position | undefined;
}

/** How far the read models are, whoever writes them. */
export interface Projections {
  /** Brings every projection up to the head of the log and keeps it there. Resolves when that work has started. */
  start(): Promise<void>;
  status(): readonly ProjectionStatus[];
  /** Whether queries read all that happened so far, but for what is being handled at this moment. */
  isCurrent(projection: Projection): boolean;
  /** True as soon as no projection is being built any more; false when the time runs out first. */
  whenBuilt(milliseconds: number): Promise<boolean>;
  /**
   * True as soon as queries of every working projection show the position; false when the time runs out first.
   */
  waitFor(position: Position, milliseconds: number): Promise<boolean>;
  /**
   * Begins to fill the projection's documents anew from the whole log, beside those that are read meanwhile. False if
   * it is being built already.
   */
  rebuild(projection: Projection, actor: string): Promise<boolean>;
  stop(): Promise<void>;
}

export interface Projector extends Projections {
  rebuild(projection: Projection): Promise<boolean>;
  progress(): readonly ProjectionProgress[];
  /** Called within an append's transaction, if store and read model share one. */
  readonly inline: {
    apply(events: readonly RecordedEvent[]): void;
    failed(error: unknown, events: readonly RecordedEvent[]): void;
  };
}

export interface ProjectorOptions {
  readonly projections: readonly Projection[];
  readonly reader: Pick<EventReader, 'read' | 'readNow' | 'mayBecome' | 'pause'>;
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Given if the read model takes part in the append's transaction. */
  readonly synchronous?: SynchronousReadModel;
  /** Given if other processes read the read model, and may write it after this one. */
  readonly shared?: {
    /** Called when something has changed that others want to know. */
    readonly moved: () => void;
    /** Another process writes now: nothing more is written here. */
    readonly replaced: (error: WriterReplaced) => void;
  };
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  readonly report: (message: string, details: object) => void;
}

/** After this many events, untouched projections' checkpoints are advanced too, so that a restart reads little. */
const CHECKPOINT_EVERY = 1_000;

/** Events folded at a time while much is to be read: the more, the fewer writes of documents that change often. */
const BATCH = 4_096;

/** Bounds how long one step of a large batch keeps the event loop busy. */
const DECODED_AT_A_TIME = 512;

/** Projections whose documents are looked up at the same time, where that is asked of a server. */
const LOADED_AT_ONCE = 8;
const FOLDED_AT_ONCE = 2;

/** Between two tries to make a generation live, while the read model does not answer. Milliseconds. */
const GO_LIVE_PAUSES = [20, 100, 500, 2_000];

/** A former generation is not waited for longer than this. Milliseconds. */
const FORMER_PATIENCE = 5_000;

/** A projection's own generation, and the one that is read until that has caught up. */
interface Kept {
  readonly projection: Projection;
  readonly categories: readonly string[];
  own: Target | undefined;
  former: Target | undefined;
  isRenewing: boolean;
}

export function createProjector(options: ProjectorOptions): Projector {
  const { reader, store, readModel, synchronous, shared, report } = options;
  const all = options.projections.map(
    (projection): Kept => ({
      projection,
      categories: categoriesOf(projection, options.categoryOfType),
      own: undefined,
      former: undefined,
      isRenewing: false,
    }),
  );
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  const waiters = createWaiters();
  const decode: Decoded = reader.readNow;
  const sliceSize = createSliceSize();
  let head: Position = START;
  let sinceCheckpoint = 0;

  function moved(): void {
    waiters.lookAgain();
    shared?.moved();
  }

  const targets = (): readonly Target[] => all.flatMap(({ own, former }) => [own ?? [], former ?? []].flat());

  /** What queries read: the former one also in the moment in which its successor goes live. */
  const servedOf = ({ own, former }: Kept): Target | undefined =>
    [own, former].find((target) => target?.isServed && target.state !== 'failed');

  function isCurrent(kept: Kept): boolean {
    const target = servedOf(kept);
    return target?.state === 'live' && target.error === undefined;
  }

  function hasReached(kept: Kept, position: Position): boolean {
    const target = servedOf(kept);
    if (target === undefined) return kept.own?.state === 'failed';
    // Nothing is written to it any more; whoever waits goes on as soon as its successor is read.
    if (target.retired) return false;
    return (target.inline && head >= position) || target.position >= position;
  }

  const isFormer = (target: Target) => all.some(({ former }) => former === target);

  /** Whether the error means that another process writes now, which ends all work here. */
  function isOver(error: unknown): boolean {
    if (shared === undefined) return false;
    if (stopping.signal.aborted) return true;
    if (!(error instanceof WriterReplaced)) return false;
    stopping.abort();
    shared.replaced(error);
    return true;
  }

  function fail(target: Target, error: unknown): void {
    if (isOver(error)) return;
    target.state = 'failed';
    target.inline = false;
    target.error = messageOf(error);
    const { projection, generation } = target;
    if (isFormer(target) && !target.retired) {
      report('projection of an older version stopped, not read until the new one is built', {
        projection: projection.name,
        version: generation.version,
        error: target.error,
      });
      running.push(readModel.withdraw(projection).catch((cause: unknown) => notSaved(target, cause)));
    } else if (!target.retired) {
      report('projection stopped', { projection: projection.name, error: target.error });
    }
    moved();
  }

  /** It waits at the event: what is before it stays shown, and nothing behind it is. */
  function block(target: Target, { event, message }: EventUndecodable): void {
    target.blockedBy = { event, before: target.blockedBy?.before ?? target.state };
    target.state = 'failed';
    target.error = message;
    const { eventId, stream, revision, problem } = event;
    report('projection waits at an event that cannot be decoded', {
      projection: target.projection.name,
      eventId,
      stream,
      revision,
      error: problem,
    });
    moved();
  }

  function unblock(target: Target): void {
    if (target.blockedBy === undefined) return;
    target.state = target.blockedBy.before;
    target.blockedBy = undefined;
    report('projection continues', { projection: target.projection.name, isUsual: true });
  }

  /** Reads the log from where it is, and waits there at the event that it cannot decode. */
  function fallBehind(target: Target): void {
    target.inline = false;
    running.push(catchUp([target]));
  }

  function notSaved({ projection }: Target, error: unknown): void {
    if (isOver(error)) return;
    report('projection checkpoint not saved', { projection: projection.name, error: messageOf(error) });
  }

  /** Keeps the targets up to date with one subscription for all; one that fails goes on alone. */
  async function catchUp(group: readonly Target[]): Promise<void> {
    const members = new Set(group);
    const active = () => [...members].filter((target) => !target.retired);
    const end = await runSubscription({
      store,
      after: group.reduce(
        (least, { position }) => (position < least ? position : least),
        group[0]?.position ?? START,
      ),
      categories: [...new Set(group.flatMap(({ categories }) => categories))],
      batchSize: BATCH,
      signal: stopping.signal,
      isFinal: isOver,
      async handle(events) {
        const decoded = await decodedInTurns(active(), events);
        let passed = events;
        let undecodable: EventUndecodable | undefined;
        const commits = new Map<Target, CollectionCommit>();
        const lastEventAt = new Map<Target, string | undefined>();
        let failure: unknown;
        async function fold(target: Target): Promise<void> {
          if (events.length > DECODED_AT_A_TIME) await nextTurn();
          try {
            const found = eventsFor(target, events, decoded, reader.mayBecome);
            // The others of the group must not wait with it.
            if (found.undecodable !== undefined && members.size > 1) throw found.undecodable;
            if (found.undecodable !== undefined) ({ undecodable, passed } = found);
            const { recorded } = found;
            const stored = await readModel.load(
              target.projection,
              keysFor(target, recorded),
              target.generation,
            );
            commits.set(target, commitOf(target, stored, recorded));
            lastEventAt.set(target, recorded.at(-1)?.metadata.occurredAt ?? target.lastEventAt);
          } catch (error) {
            // What cannot be read at all is no fault of one of them.
            if (members.size === 1 || error instanceof StoreUnavailable) {
              failure ??= error;
              return;
            }
            members.delete(target);
            running.push(catchUp([target]));
          }
        }
        // A look-up on a server is mostly waiting; of many events, the folding is what takes the time.
        const most = events.length > DECODED_AT_A_TIME ? FOLDED_AT_ONCE : LOADED_AT_ONCE;
        await sideBySide(active(), shared === undefined ? 1 : most, fold);
        if (failure !== undefined) throw failure;
        const kept = active();
        const reached = passed.at(-1)?.position ?? START;
        const position = (target: Target) => (reached > target.position ? reached : target.position);
        // On a server each checkpoint is a write of its own: without one, a restart reads a little that concerns nobody.
        const isSaved = (target: Target) =>
          shared === undefined ||
          (commits.get(target)?.changes.length ?? 0) > 0 ||
          target.passed + passed.length >= CHECKPOINT_EVERY;
        const saved = kept.filter(isSaved);
        const whole = [
          ...latestOf(passed),
          ...kept.flatMap((target) => commits.get(target) ?? []),
          ...saved.map((target) => checkpointOf(target, position(target))),
        ];
        // What is written by another process holds up nothing here, and each of its commits costs round trips.
        const slices = shared === undefined ? slicedCommits(whole, sliceSize.next) : [whole];
        for (const slice of slices) {
          const start = performance.now();
          await readModel.commit(slice);
          sliceSize.took(performance.now() - start);
        }
        for (const target of kept) {
          target.lastEventAt = lastEventAt.get(target);
          target.passed = saved.includes(target) ? 0 : target.passed + passed.length;
          reach(target, position(target));
        }
        if (undecodable !== undefined) throw undecodable;
        for (const target of kept) {
          target.error = undefined;
          unblock(target);
        }
        moved();
      },
      blocked(error) {
        for (const target of active()) block(target, error);
      },
      pauseWhileBlocked: reader.pause,
      caughtUp(position) {
        const isNews = active().some((target) => target.position < position);
        for (const target of active()) reach(target, position);
        // No append can run between this comparison and the switch: both are one synchronous step.
        if (synchronous !== undefined && active().every((target) => target.position >= head)) {
          for (const target of active()) target.inline = true;
          return 'leave';
        }
        for (const target of active()) {
          if (synchronous === undefined && target.state === 'building') becomeLive(target);
          target.passed += 1;
          if (target.passed >= CHECKPOINT_EVERY) remember(target);
        }
        // On a server each note is a write of its own.
        if (isNews || shared === undefined) moved();
        return active().length === 0 ? 'leave' : 'stay';
      },
      passed(position) {
        for (const target of active()) {
          reach(target, position);
          remember(target);
        }
        moved();
      },
      failed(error, final) {
        if (stopping.signal.aborted) return;
        for (const target of active()) {
          const isKnown = error instanceof StoreUnavailable && target.error === messageOf(error);
          target.error = messageOf(error);
          const { name: projection } = target.projection;
          if (!isKnown) report('projection failed', { projection, error: target.error, final });
        }
        shared?.moved();
      },
    });
    if (end === 'left') for (const target of active()) becomeLive(target);
    if (end !== 'failed' || stopping.signal.aborted) return;
    const [only, ...others] = active();
    if (only === undefined) return;
    if (others.length === 0) fail(only, only.error);
    // One of them cannot be written, and nothing tells which.
    else for (const target of [only, ...others]) running.push(catchUp([target]));
  }

  /** Decodes what the targets fold, a part at a time; what cannot be decoded fails the targets that fold it. */
  async function decodedInTurns(
    wanting: readonly Target[],
    events: readonly RecordedEvent[],
  ): Promise<Decoded> {
    const decoded = decodedOnce(decode);
    const types = new Set(wanting.flatMap(({ projection }) => Object.keys(projection.on)));
    const isWanted = (type: string) => types.has(type);
    for (const [index, event] of events.entries()) {
      if (index > 0 && index % DECODED_AT_A_TIME === 0) await nextTurn();
      try {
        if (reader.mayBecome(event, isWanted)) decoded(event);
      } catch {
        // An operator may have quarantined it; else each target that folds it finds the same error.
        await lookUp(event);
      }
    }
    return decoded;
  }

  async function lookUp(event: RecordedEvent): Promise<void> {
    try {
      await reader.read(event);
    } catch {
      // The error is found again by each target that folds the event.
    }
  }

  function reach(target: Target, position: Position): void {
    if (position > target.position) target.position = position;
    if (target.state === 'building')
      target.pace.reached(store.extentOf(target.position).amount, performance.now());
  }

  /** Saves the checkpoint, so that a restart need not read events that the projection does not fold. */
  function remember(target: Target): void {
    target.passed = 0;
    target.remembering = readModel
      .commit([checkpointOf(target, target.position)])
      .catch((error: unknown) => notSaved(target, error));
  }

  function becomeLive(target: Target): void {
    const kept = all.find(({ own }) => own === target);
    if (kept === undefined) {
      if (target.state === 'building') target.state = 'live';
      moved();
      return;
    }
    // The subscription reports on while this is under way.
    if (target.isGoingLive) return;
    target.isGoingLive = true;
    running.push(
      goLive(kept, target).catch((error: unknown) => {
        if (kept.former?.retired) kept.former = undefined;
        fail(target, error);
      }),
    );
  }

  async function goLive(kept: Kept, target: Target): Promise<void> {
    // Its documents are removed as the new ones go live; nothing may be written to them any more.
    const { former } = kept;
    if (shared !== undefined && former !== undefined) {
      former.retired = true;
      // Other processes notice later, and must not see what they have seen vanish.
      const isReady = () => stopping.signal.aborted || target.position >= former.position;
      await waiters.until(isReady, FORMER_PATIENCE);
    }
    await whileUnavailable(target, async () => {
      await readModel.commit([checkpointOf(target, target.position)]);
      if (kept.former !== undefined) kept.former.retired = true;
      await readModel.goLive(target.projection);
    });
    target.isServed = true;
    kept.former = undefined;
    // An append may have stopped it meanwhile; then it stays stopped.
    if (target.state === 'building') target.state = 'live';
    moved();
  }

  /** Tries again until the read model answers or this projector is stopped. */
  async function whileUnavailable(target: Target, work: () => Promise<void>): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await work();
      } catch (error) {
        if (shared === undefined || !(error instanceof StoreUnavailable)) throw error;
        target.error = messageOf(error);
        await pauseFor(GO_LIVE_PAUSES[failures] ?? GO_LIVE_PAUSES.at(-1) ?? 0, stopping.signal);
        if (stopping.signal.aborted) throw error;
      }
    }
  }

  function commitNowOf(
    documents: SynchronousReadModel,
    target: Target,
    events: readonly RecordedEvent[],
    decoded: Decoded,
  ): CollectionCommit | undefined {
    const { projection, generation } = target;
    const recorded = events
      .filter((event) => projection.on[event.type] !== undefined)
      .flatMap((event) => decoded(event) ?? []);
    if (recorded.length === 0) return undefined;
    const stored = documents.loadNow(projection, keysFor(target, recorded), generation);
    target.lastEventAt = recorded.at(-1)?.metadata.occurredAt;
    return { ...commitOf(target, stored, recorded), checkpoint: head };
  }

  /** An older generation that cannot be written must not stop the others: what it wrote is undone alone. */
  function keepUp(
    documents: SynchronousReadModel,
    target: Target,
    events: readonly RecordedEvent[],
    decoded: Decoded,
  ): void {
    try {
      documents.attempt(() => {
        const commit = commitNowOf(documents, target, events, decoded);
        if (commit !== undefined) documents.commitNow([commit]);
      });
    } catch (error) {
      // The whole transaction is lost, which is no fault of this generation.
      if (error instanceof Error && error.name === 'StoreUnavailable') throw error;
      if (error instanceof EventUndecodable) fallBehind(target);
      else fail(target, error);
    }
  }

  /** Where the targets of one projection start, given what the read model has and what of it the log has made. */
  async function place(kept: Kept, source: Awaited<ReturnType<typeof sourceOf>>): Promise<void> {
    const { projection, categories } = kept;
    const generation = await readModel.own(projection);
    const isLive = await readModel.isLive(projection);
    const served = isLive ? undefined : await readModel.served(projection);
    const checkpoint = (await readModel.checkpoint(projection)) ?? START;
    const servedUpTo = served && ((await readModel.checkpoint(projection, served)) ?? START);
    const sameUpTo = synchronous === undefined ? source.sameUpTo : undefined;
    const placed = decidePlace({ isKnown: source.isKnown, sameUpTo, head, checkpoint, servedUpTo });
    if (placed.start === 'anew') {
      await readModel.clear(projection);
      await readModel.withdraw(projection);
      kept.own = newTarget({ projection, generation, categories, isServed: false });
      return;
    }
    kept.own = newTarget({ projection, generation, categories, isServed: isLive }, placed.own);
    if (served !== undefined && placed.former !== undefined)
      kept.former = newTarget({ projection, generation: served, categories, isServed: true }, placed.former);
  }

  function status(): readonly ProjectionStatus[] {
    return all.map((kept): ProjectionStatus => {
      const { projection, own } = kept;
      const { name, version } = projection;
      const position = own?.inline ? head : (own?.position ?? START);
      const end = position > head ? position : head;
      return {
        name,
        version,
        state: own?.state ?? 'building',
        served: servedOf(kept)?.generation.version ?? (own?.isServed ? version : undefined),
        isCurrent: isCurrent(kept),
        position,
        progress:
          own === undefined || own.state === 'building'
            ? progressOf(store.extentOf(position), store.extentOf(end), own?.pace.perSecond())
            : undefined,
        lastEventAt: own?.lastEventAt,
        error: own?.error,
        blockedBy: own?.blockedBy?.event,
      };
    });
  }

  function progress(): readonly ProjectionProgress[] {
    return status().map((one, index) => {
      const kept = all[index];
      const target = kept && servedOf(kept);
      const shown = target?.retired ? undefined : target?.position;
      return { ...one, reads: target?.generation, shown };
    });
  }

  return {
    async start() {
      await readModel.prepare(all.map(({ projection }) => projection));
      const found = await store.head();
      if (found > head) head = found;
      const source = await sourceOf(store, readModel);
      if (shared !== undefined && !source.isSameLog) throw otherLog();
      for (const kept of all) await place(kept, source);
      // Only now: a process that ends earlier leaves the old mark, and the next start empties the rest.
      await source.remember();
      for (const group of groupTargets(targets(), (at) => store.extentOf(at), head))
        running.push(catchUp(group));
    },

    status,
    progress,

    isCurrent(projection) {
      const kept = all.find((one) => one.projection === projection);
      return kept !== undefined && isCurrent(kept) && servedOf(kept)?.retired === false;
    },

    whenBuilt: (milliseconds) =>
      waiters.until(
        () => all.every(({ own }) => own !== undefined && own.state !== 'building'),
        milliseconds,
      ),

    waitFor: (position, milliseconds) =>
      waiters.until(() => all.every((kept) => hasReached(kept, position)), milliseconds),

    async rebuild(projection) {
      const kept = all.find((one) => one.projection === projection);
      const { own } = kept ?? {};
      if (kept === undefined || own === undefined || own.state === 'building' || kept.isRenewing)
        return false;
      kept.isRenewing = true;
      try {
        const generation = await readModel.renew(projection);
        if (own.isServed) kept.former = own;
        kept.own = newTarget({ projection, generation, categories: kept.categories, isServed: false });
        running.push(catchUp([kept.own]));
        return true;
      } finally {
        kept.isRenewing = false;
      }
    },

    inline: {
      apply(events) {
        head = events.at(-1)?.position ?? head;
        if (synchronous === undefined) return;
        sinceCheckpoint += events.length;
        const moveAll = sinceCheckpoint >= CHECKPOINT_EVERY;
        if (moveAll) sinceCheckpoint = 0;
        const decoded = decodedOnce(decode);
        const commits: CollectionCommit[] = [];
        for (const target of targets()) {
          if (!target.inline || target.retired) continue;
          if (isFormer(target)) {
            keepUp(synchronous, target, events, decoded);
            continue;
          }
          try {
            const commit = commitNowOf(synchronous, target, events, decoded);
            if (commit !== undefined) commits.push(commit);
            else if (moveAll) commits.push(checkpointOf(target, head));
          } catch (error) {
            if (error instanceof EventUndecodable) fallBehind(target);
            else fail(target, error);
          }
        }
        if (commits.length > 0) synchronous.commitNow(commits);
        for (const target of targets()) if (target.inline && !target.retired) target.position = head;
        moved();
      },

      failed(error, events) {
        // Nothing of this append was projected: every affected projection stops before it.
        for (const target of targets()) {
          if (target.inline && !target.retired && events.some((event) => target.projection.on[event.type]))
            fail(target, error);
        }
      },
    },

    async stop() {
      stopping.abort();
      moved();
      // One by one, since work that ends may have started more.
      for (const work of running) await work;
      await Promise.all(targets().map(({ remembering }) => remembering));
      const inline = targets().filter((target) => target.inline && !target.retired);
      if (inline.length > 0) await readModel.commit(inline.map((target) => checkpointOf(target, head)));
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function categoriesOf(
  projection: Projection,
  categoryOfType: ReadonlyMap<string, string>,
): readonly string[] {
  const categories = Object.keys(projection.on).map((type) => {
    const category = categoryOfType.get(type);
    if (category === undefined)
      throw new Error(`the projection "${projection.name}" folds "${type}", which no stream has`);
    return category;
  });
  return [...new Set(categories)];
}
