/**
 * Keeps every projection up to date through a subscription with a checkpoint. While a build is filled, the build that
 * queries read until then is kept up to date as well.
 */
import type { EventStore, Position } from '../ports/event-store.ts';
import type { Projection } from './define-projection.ts';
import { otherLog, sourceOf } from './log-source.ts';
import {
  type ProjectionProgress,
  type ProjectionStatus,
  progressFrom,
  statusOf,
} from './projection-status.ts';
import {
  hasReached,
  isBuilt,
  isUpToDate,
  newTarget,
  type ProjectionBuilds,
  placeTargets,
  saveCheckpoints,
  servedOf,
  targetsOf,
} from './projection-target.ts';
import {
  createGoLive,
  createProjectionTrouble,
  newProjectorWork,
  type ProjectorOptions,
} from './projector-work.ts';
import { createReadings } from './reading.ts';

/** How far the read models are, whoever writes them. */
export interface Projections {
  /** Brings every projection up to the head of the log and keeps it there. Resolves when that work has started. */
  start(): Promise<void>;
  status(): readonly ProjectionStatus[];
  /** Whether queries read all that happened so far, but for what is being handled at this moment. */
  isCurrent(projection: Projection): boolean;
  /** True as soon as no projection is being built any more, but for those that read files; false when the time runs out first. */
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
  /**
   * Resolves once every projection that is up to date includes the position, or when the time is over. Projections that
   * are being built, catch up or fail are skipped.
   */
  whenShown(position: Position, milliseconds: number): Promise<void>;
  progress(): readonly ProjectionProgress[];
  /** Saves every position that was reached without documents to write, for other processes wait for it. */
  saveCheckpoints(): Promise<void>;
}

export function createProjector(options: ProjectorOptions): Projector {
  const { store, readModel, shared } = options;
  const work = newProjectorWork(options);
  const { all, condition } = work;
  const trouble = createProjectionTrouble(work, options);
  const goLive = createGoLive(work, options, trouble);
  const begin = createReadings({ ...options, work, trouble, goLive });
  const extentOf: EventStore['extentOf'] = (position) => store.extentOf(position);
  const buildsOf = (projection: Projection) => all.find((builds) => builds.projection === projection);

  return {
    status: () => all.map((builds) => statusOf(builds, work.head, extentOf)),
    progress: () => all.map((builds) => progressFrom(builds, work.head, extentOf)),

    saveCheckpoints: () =>
      saveCheckpoints(
        readModel,
        targetsOf(all).filter(({ passed, retired }) => passed > 0 && !retired),
      ),

    async start() {
      await readModel.prepare(all.map(({ projection }) => projection));
      work.head = await store.head();
      const source = await sourceOf(store, readModel);
      if (shared !== undefined && !source.isSameLog) throw otherLog();
      for (const builds of all) await placeTargets(builds, readModel, { ...source, head: work.head });
      // Only now: a process that ends earlier leaves the old mark, and the next start empties the rest.
      await source.remember();
      const targets = targetsOf(all);
      begin(targets.filter(({ isServed }) => isServed));
      // Those that are far behind hold up none that queries read.
      begin(targets.filter(({ isServed }) => !isServed));
    },

    isCurrent(projection) {
      const builds = buildsOf(projection);
      return builds !== undefined && isUpToDate(builds) && servedOf(builds)?.retired === false;
    },

    whenBuilt: (milliseconds) => condition.until(() => all.every(isBuilt), milliseconds),

    waitFor: (position, milliseconds) =>
      condition.until(() => all.every((builds) => hasReached(builds, position)), milliseconds),

    async whenShown(position, milliseconds) {
      const isShown = (builds: ProjectionBuilds) => !isUpToDate(builds) || hasReached(builds, position);
      const isStopped = () => work.stopping.signal.aborted;
      await condition.until(() => isStopped() || all.every(isShown), milliseconds);
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
      work.stopping.abort();
      work.moved();
      await work.ended();
      await Promise.all(targetsOf(all).map(({ remembering }) => remembering));
    },
  };
}
