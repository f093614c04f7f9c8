/** State of a projector: its options, its work in progress, what stops a build, and what makes it live. */
import { setMaxListeners } from 'node:events';
import { StoreUnavailable } from '../ports/errors.ts';
import { type EventStore, type Position, START } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { WriterReplaced } from '../ports/shared-read-model.ts';
import { type Condition, createCondition } from './condition.ts';
import type { Projection, ReadFiles } from './define-projection.ts';
import { detailsOf, type EventUndecodable } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { messageOf } from './message-of.ts';
import { checkpointOf, newBuilds, type ProjectionBuilds, type Target } from './projection-target.ts';
import { retry } from './retry.ts';

export interface ProjectorOptions {
  readonly projections: readonly Projection[];
  readonly reader: Pick<EventReader, 'read' | 'mayBecome' | 'pause'>;
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Given if other processes read the read model, and may write it after this one. */
  readonly shared?: {
    /** Called when others should learn of something that no commit of a batch shows. */
    readonly changed: () => void;
    /** Another process writes now: nothing more is written here. */
    readonly replaced: (error: WriterReplaced) => void;
  };
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Reads the files that an event names, for the projections that are made from files. */
  readonly filesOf?: ReadFiles;
  readonly logger: Logger;
}

export interface ProjectorWork {
  readonly all: readonly ProjectionBuilds[];
  readonly condition: Condition;
  readonly stopping: AbortController;
  /** The end of the log when the projector started. */
  head: Position;
  /** Has the end wait for the work, which never rejects. */
  begin(work: Promise<void>): void;
  /** A position has moved, for which a caller in this process may wait. */
  moved(): void;
  /** Something else has changed, which concerns other processes as well. */
  changed(): void;
  /** Resolves when everything that was begun has ended. */
  ended(): Promise<void>;
}

export function newProjectorWork({ projections, categoryOfType, shared }: ProjectorOptions): ProjectorWork {
  const condition = createCondition();
  const underWay: Promise<void>[] = [];
  const stopping = new AbortController();
  // Each subscription listens to it.
  setMaxListeners(0, stopping.signal);
  return {
    all: projections.map((projection) => newBuilds(projection, categoryOfType)),
    condition,
    stopping,
    head: START,
    begin: (work) => void underWay.push(work),
    moved: () => condition.notify(),
    changed() {
      condition.notify();
      shared?.changed();
    },
    async ended() {
      // One by one, since work that ends may have begun more.
      for (const work of underWay) await work;
    },
  };
}

export interface ProjectionTrouble {
  /** The target is kept up to date no longer, until a restart or a rebuild. */
  fail(target: Target, error: unknown): void;
  /** It waits at the event: what is before it stays shown, and nothing behind it is. */
  block(target: Target, error: EventUndecodable): void;
  unblock(target: Target): void;
  notSaved(target: Target, error: unknown): void;
  /** Whether the error means that another process writes now, which ends all work here. */
  isOver(error: unknown): boolean;
}

export function createProjectionTrouble(
  work: ProjectorWork,
  { shared, logger }: Pick<ProjectorOptions, 'shared' | 'logger'>,
): ProjectionTrouble {
  const { stopping } = work;

  function isOver(error: unknown): boolean {
    if (shared === undefined) return false;
    if (stopping.signal.aborted) return true;
    if (!(error instanceof WriterReplaced)) return false;
    stopping.abort();
    shared.replaced(error);
    return true;
  }

  function notSaved({ projection }: Target, error: unknown): void {
    if (isOver(error)) return;
    logger.warn({ projection: projection.name, error: messageOf(error) }, 'projection checkpoint not saved');
  }

  return {
    isOver,
    notSaved,

    fail(target, error) {
      if (isOver(error)) return;
      target.state = 'failed';
      target.error = messageOf(error);
      const { projection } = target;
      if (!target.retired) {
        logger.warn(
          { projection: projection.name, version: target.generation.version, error: target.error },
          'projection stopped',
        );
      }
      work.changed();
    },

    block(target, { event, message }) {
      target.blockedBy = { event, before: target.blockedBy?.before ?? target.state };
      target.state = 'failed';
      target.error = message;
      const { name: projection } = target.projection;
      logger.warn({ projection, ...detailsOf(event) }, 'projection waits at an event that cannot be decoded');
      work.changed();
    },

    unblock(target) {
      if (target.blockedBy === undefined) return;
      target.state = target.blockedBy.before;
      target.blockedBy = undefined;
      logger.info({ projection: target.projection.name }, 'projection continues');
    },
  };
}

/** Between two tries to make a generation live, while the read model does not answer. Milliseconds. */
const GO_LIVE_PAUSES = [20, 100, 500, 2_000];

/** A former generation is not waited for longer than this. Milliseconds. */
const FORMER_PATIENCE = 5_000;

/** Begins it; a target that is going live already only goes on. */
export function createGoLive(
  work: ProjectorWork,
  { readModel, shared }: Pick<ProjectorOptions, 'readModel' | 'shared'>,
  trouble: Pick<ProjectionTrouble, 'fail'>,
): (target: Target) => void {
  const { signal } = work.stopping;

  async function replaceFormer(builds: ProjectionBuilds, target: Target): Promise<void> {
    // Its documents are removed as the new ones go live; nothing may be written to them any more.
    const { former } = builds;
    if (shared !== undefined && former !== undefined) {
      former.retired = true;
      // Other processes notice later, and must not see what they have seen vanish.
      const isReady = () => signal.aborted || target.position >= former.position;
      await work.condition.until(isReady, FORMER_PATIENCE);
    }
    await whileUnavailable(target, async () => {
      await readModel.commit([checkpointOf(target, target.position)]);
      if (builds.former !== undefined) builds.former.retired = true;
      await readModel.goLive(target.projection);
    });
    target.isServed = true;
    builds.former = undefined;
    // An append may have stopped it meanwhile; then it stays stopped.
    if (target.state === 'building') target.state = 'live';
    work.changed();
  }

  /** Tries again until the read model answers or this projector is stopped. */
  function whileUnavailable(target: Target, attempt: () => Promise<void>): Promise<void> {
    return retry(attempt, {
      pauses: GO_LIVE_PAUSES,
      signal,
      failed(error) {
        if (shared === undefined || !(error instanceof StoreUnavailable)) throw error;
        target.error = messageOf(error);
      },
    });
  }

  return (target) => {
    const builds = work.all.find(({ own }) => own === target);
    if (builds === undefined) {
      // A former one is read already.
      if (target.state === 'building') target.state = 'live';
      work.changed();
      return;
    }
    // The subscription reports on while this is under way.
    if (target.isGoingLive) return;
    target.isGoingLive = true;
    work.begin(
      replaceFormer(builds, target).catch((error: unknown) => {
        if (builds.former?.retired) builds.former = undefined;
        trouble.fail(target, error);
      }),
    );
  };
}
