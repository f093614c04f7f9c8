/** Builds of a projection that the projector fills: starting position, progress, and availability to queries. */
import { type EventStore, type LogExtent, type Position, START } from '../ports/event-store.ts';
import type { BuildState, CollectionCommit, Generation, ReadModel } from '../ports/read-model.ts';
import { isFileBacked, type Projection } from './define-projection.ts';
import type { UndecodableEvent } from './event-codec.ts';

/** Minimum milliseconds over which the pace is measured. */
const MIN_MEASURE = 250;

/** Average pace since this process started or continued the build. */
function createPace() {
  let first: { readonly amount: number; readonly at: number } | undefined;
  let last = { amount: 0, at: 0 };
  return {
    /** `at`: milliseconds of a monotonic clock. */
    reached(amount: number, at: number) {
      last = { amount, at };
      first ??= last;
    },
    /** Undefined until measured. */
    perSecond(): number | undefined {
      if (first === undefined || last.at - first.at < MIN_MEASURE) return undefined;
      return Math.round(((last.amount - first.amount) / (last.at - first.at)) * 1_000);
    },
  };
}

type ProjectionState = 'building' | 'live' | 'failed';

export interface Target {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly categories: readonly string[];
  readonly pace: ReturnType<typeof createPace>;
  /** `live` once the build has caught up. */
  state: ProjectionState;
  /** True if queries read the build, even while it catches up. */
  isServed: boolean;
  /** True once another build replaces it, which is then no longer updated. */
  retired: boolean;
  isGoingLive: boolean;
  position: Position;
  lastEventAt: string | undefined;
  error: string | undefined;
  blockedBy: { readonly event: UndecodableEvent; readonly before: ProjectionState } | undefined;
  /** Number of advances since the last checkpoint without documents to write. */
  passed: number;
  saving: Promise<void>;
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
    isGoingLive: false,
    position,
    lastEventAt: undefined,
    error: undefined,
    blockedBy: undefined,
    passed: 0,
    saving: Promise.resolve(),
  };
}

export function checkpointOf(
  { projection, generation }: Pick<Target, 'projection' | 'generation'>,
  checkpoint: Position,
): CollectionCommit {
  return { collection: projection, generation, changes: [], checkpoint };
}

export async function saveCheckpoints(
  readModel: Pick<ReadModel, 'commit'>,
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return;
  const reached = targets.map((target) => ({ target, position: target.position }));
  await readModel.commit(reached.map(({ target, position }) => checkpointOf(target, position)));
  for (const { target, position } of reached) if (target.position === position) target.passed = 0;
}

/** Build of a projection's current version, and the build that queries read until it has caught up. */
export interface ProjectionBuilds {
  readonly projection: Projection;
  /** Stream categories of the projection's events. */
  readonly categories: readonly string[];
  own: Target | undefined;
  former: Target | undefined;
  isRenewing: boolean;
}

/** `categoryOfType`: stream category of each event type. Throws if an event type of the projection belongs to no stream. */
export function newBuilds(
  projection: Projection,
  categoryOfType: ReadonlyMap<string, string>,
): ProjectionBuilds {
  const categories = Object.keys(projection.on).map((type) => {
    const category = categoryOfType.get(type);
    if (category === undefined)
      throw new Error(`the projection "${projection.name}" folds "${type}", which no stream defines`);
    return category;
  });
  return {
    projection,
    categories: [...new Set(categories)],
    own: undefined,
    former: undefined,
    isRenewing: false,
  };
}

export function targetsOf(all: readonly ProjectionBuilds[]): readonly Target[] {
  return all.flatMap(({ own, former }) => [own ?? [], former ?? []].flat());
}

/** Build that queries read: the superseded build until its successor is live. */
export function servedOf({ own, former }: ProjectionBuilds): Target | undefined {
  return [own, former].find((target) => target?.isServed && target.state !== 'failed');
}

/** True while the build that queries read follows the log. */
export function isUpToDate(builds: ProjectionBuilds): boolean {
  const target = servedOf(builds);
  return target?.state === 'live' && target.error === undefined;
}

/**
 * True if callers need not wait: queries include the position, or never will because the projection has stopped.
 * Callers do not wait for projections that read files.
 */
export function hasReached(builds: ProjectionBuilds, position: Position): boolean {
  if (isFileBacked(builds.projection)) return true;
  const target = servedOf(builds);
  if (target === undefined) return builds.own?.state === 'failed';
  // A retired build never reaches the position; callers continue as soon as queries read its successor.
  if (target.retired) return false;
  return target.position >= position;
}

/** Relation between the current log and the one from which the read model's documents were built. */
interface ComparedLog {
  /** True if the read model's documents come from this log. */
  readonly isKnown: boolean;
  /**
   * Last position at which the log is known to equal the handled one. Undefined if that holds up to every
   * checkpoint.
   */
  readonly sameUpTo: Position | undefined;
  readonly head: Position;
}

/** Reads the projection's builds from the read model, and creates a target for each at its starting position. */
export async function placeTargets(
  builds: ProjectionBuilds,
  readModel: ReadModel,
  { isKnown, sameUpTo, head }: ComparedLog,
): Promise<void> {
  const { projection, categories } = builds;
  const own = await readModel.own(projection);
  const served = own.isLive ? undefined : await readModel.served(projection);
  const isAhead = [own, served].some((build) => (build?.checkpoint ?? START) > head);
  // The log differs, or was restored from an older copy: the documents come from events that it lacks.
  if (!isKnown || isAhead) {
    const generation = await readModel.renew(projection, 'nothing');
    builds.own = newTarget({ projection, generation, categories, isServed: false });
    return;
  }
  const targetOf = ({ version, generation, isLive: isServed, checkpoint = START }: BuildState) =>
    newTarget(
      { projection, generation: { version, generation }, categories, isServed },
      // After `sameUpTo`, the log may contain other events than those that the build has handled.
      sameUpTo !== undefined && sameUpTo < checkpoint ? sameUpTo : checkpoint,
    );
  builds.own = targetOf(own);
  builds.former = served && targetOf(served);
}

export type RebuildProgress = ReturnType<typeof progressOf>;

function progressOf(position: LogExtent, head: LogExtent, pace: number | undefined) {
  const done = Math.min(position.amount, head.amount);
  const left = head.amount - done;
  return {
    /** Unit of `done` and `of`; `bytes` if the store does not count events. */
    unit: head.unit,
    done,
    of: head.amount,
    // Rounded down: 100 means complete.
    percent: head.amount === 0 ? 100 : Math.floor((done / head.amount) * 1_000) / 10,
    /** In `unit`; undefined until measured. */
    perSecond: pace,
    secondsLeft: left === 0 ? 0 : pace === undefined || pace <= 0 ? undefined : Math.ceil(left / pace),
  };
}

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** True if the documents come from files; other projections do not depend on them. */
  readonly isFileBacked: boolean;
  readonly state: ProjectionState;
  /** Version of the documents that queries read; undefined if queries can read none. */
  readonly served: number | undefined;
  /** True if the documents that queries read are up to date. */
  readonly isCurrent: boolean;
  /** Position up to which all events were handled. */
  readonly position: Position;
  /** Defined during a build. */
  readonly progress: RebuildProgress | undefined;
  /** Time when the last handled event was recorded, ISO 8601. Undefined until an event was handled since startup. */
  readonly lastEventAt: string | undefined;
  readonly error: string | undefined;
  /** Undecodable event at which the projection waits until the event is quarantined. */
  readonly blockedBy?: UndecodableEvent | undefined;
  /** Version of the documents that queries read and the writing process updates; undefined if none. */
  readonly reads?: number | undefined;
}

/** `head`: last position of the log known to this process. */
export function statusOf(
  builds: ProjectionBuilds,
  head: Position,
  extentOf: EventStore['extentOf'],
): ProjectionStatus {
  const { projection, own } = builds;
  const { name, version } = projection;
  const position = own?.position ?? START;
  const end = position > head ? position : head;
  const isBuilding = own === undefined || own.state === 'building';
  return {
    name,
    version,
    isFileBacked: isFileBacked(projection),
    state: own?.state ?? 'building',
    served: servedOf(builds)?.generation.version ?? (own?.isServed ? version : undefined),
    isCurrent: isUpToDate(builds),
    position,
    progress: isBuilding ? progressOf(extentOf(position), extentOf(end), own?.pace.perSecond()) : undefined,
    lastEventAt: own?.lastEventAt,
    error: own?.error,
    blockedBy: own?.blockedBy?.event,
    reads: servedOf(builds)?.generation.version,
  };
}

/** True if startup does not wait for the projection; those that read files are built in the background. */
export function isBuilt({ isFileBacked, state }: Pick<ProjectionStatus, 'isFileBacked' | 'state'>): boolean {
  return isFileBacked || state !== 'building';
}
