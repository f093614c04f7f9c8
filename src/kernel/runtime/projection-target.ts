/** The builds of a projection's documents that the projector fills, where each starts, what queries may expect of them, and how far they are. */
import { type EventStore, type LogExtent, type Position, START } from '../ports/event-store.ts';
import type { BuildState, CollectionCommit, Generation, ReadModel } from '../ports/read-model.ts';
import { isFiled, type Projection } from './define-projection.ts';
import type { UndecodableEvent } from './event-codec.ts';

/** Milliseconds. */
const SHORTEST_MEASURE = 250;

/** The average since the build began, or was continued, in this process. */
function createPace() {
  let first: { readonly amount: number; readonly at: number } | undefined;
  let last = { amount: 0, at: 0 };
  return {
    /** `at` in milliseconds, by a clock that never goes back. */
    reached(amount: number, at: number) {
      last = { amount, at };
      first ??= last;
    },
    /** Undefined until it has been measured. */
    perSecond(): number | undefined {
      if (first === undefined || last.at - first.at < SHORTEST_MEASURE) return undefined;
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
  /** `live` once it has caught up, and is what queries read. */
  state: ProjectionState;
  /** Queries read it, also while it is catching up. */
  isServed: boolean;
  /** Another generation takes its place: it is not kept up to date any more. */
  retired: boolean;
  isGoingLive: boolean;
  position: Position;
  lastEventAt: string | undefined;
  error: string | undefined;
  blockedBy: { readonly event: UndecodableEvent; readonly before: ProjectionState } | undefined;
  /** Advances since its last checkpoint without documents to write. */
  passed: number;
  remembering: Promise<void>;
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
    remembering: Promise.resolve(),
  };
}

export function checkpointOf(
  { projection, generation }: Pick<Target, 'projection' | 'generation'>,
  checkpoint: Position,
): CollectionCommit {
  return { collection: projection, generation, changes: [], checkpoint };
}

/** Saves positions that were reached without documents to write. */
export async function saveCheckpoints(
  readModel: Pick<ReadModel, 'commit'>,
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return;
  const reached = targets.map((target) => ({ target, position: target.position }));
  await readModel.commit(reached.map(({ target, position }) => checkpointOf(target, position)));
  for (const { target, position } of reached) if (target.position === position) target.passed = 0;
}

/** A projection's own generation, and the one that is read until that has caught up. */
export interface ProjectionBuilds {
  readonly projection: Projection;
  /** The stream categories of the events that it folds. */
  readonly categories: readonly string[];
  own: Target | undefined;
  former: Target | undefined;
  isRenewing: boolean;
}

/** `categoryOfType`: the stream category of each event type. Throws when no stream has an event that it folds. */
export function newBuilds(
  projection: Projection,
  categoryOfType: ReadonlyMap<string, string>,
): ProjectionBuilds {
  const categories = Object.keys(projection.on).map((type) => {
    const category = categoryOfType.get(type);
    if (category === undefined)
      throw new Error(`the projection "${projection.name}" folds "${type}", which no stream has`);
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

/** The build that queries read; the former one until its successor is live. */
export function servedOf({ own, former }: ProjectionBuilds): Target | undefined {
  return [own, former].find((target) => target?.isServed && target.state !== 'failed');
}

/** True while the build that queries read follows the log. */
export function isUpToDate(builds: ProjectionBuilds): boolean {
  const target = servedOf(builds);
  return target?.state === 'live' && target.error === undefined;
}

/** True if queries show the position, or never will: callers wait neither for a stopped projection nor for one that reads files. */
export function hasReached(builds: ProjectionBuilds, position: Position): boolean {
  if (isFiled(builds.projection)) return true;
  const target = servedOf(builds);
  if (target === undefined) return builds.own?.state === 'failed';
  // Nothing is written to it any more; callers continue as soon as its successor is read.
  if (target.retired) return false;
  return target.position >= position;
}

interface FoundDocuments {
  /** True if the read model's documents come from this log. */
  readonly isKnown: boolean;
  /** Up to here the log is known to be the one that was handled; undefined where nothing beyond the checkpoints is to be doubted. */
  readonly sameUpTo: Position | undefined;
  readonly head: Position;
  readonly checkpoint: Position;
  /** The checkpoint of an older generation that is read until this one is built; undefined without one. */
  readonly servedUpTo: Position | undefined;
}

/** Positions to continue from; undefined if the documents are of events that the log lacks, and are to be removed. */
function decidePlace({ isKnown, sameUpTo, head, checkpoint, servedUpTo }: FoundDocuments) {
  // Another log, or one restored from an older copy.
  if (!isKnown || checkpoint > head || (servedUpTo !== undefined && servedUpTo > head)) return undefined;
  // Beyond the last event known to be the same, the log may hold other events than those that were handled.
  const from = (position: Position) => (sameUpTo !== undefined && sameUpTo < position ? sameUpTo : position);
  return { own: from(checkpoint), former: servedUpTo === undefined ? undefined : from(servedUpTo) };
}

/** Reads the builds that the read model has of the projection, and makes a target of each at the position where it starts. */
export async function placeTargets(
  builds: ProjectionBuilds,
  readModel: ReadModel,
  log: Pick<FoundDocuments, 'isKnown' | 'sameUpTo' | 'head'>,
): Promise<void> {
  const { projection, categories } = builds;
  const { isKnown, sameUpTo, head } = log;
  const own = await readModel.own(projection);
  const { isLive, checkpoint = START } = own;
  const served = isLive ? undefined : await readModel.served(projection);
  const servedUpTo = served && (served.checkpoint ?? START);
  const placed = decidePlace({ isKnown, sameUpTo, head, checkpoint, servedUpTo });
  if (placed === undefined) {
    const generation = await readModel.renew(projection, 'nothing');
    builds.own = newTarget({ projection, generation, categories, isServed: false });
    return;
  }
  const targetOf = ({ version, generation, isLive: isServed }: BuildState, position: Position) =>
    newTarget({ projection, generation: { version, generation }, categories, isServed }, position);
  builds.own = targetOf(own, placed.own);
  if (served !== undefined && placed.former !== undefined) builds.former = targetOf(served, placed.former);
}

export type RebuildProgress = ReturnType<typeof progressOf>;

function progressOf(position: LogExtent, head: LogExtent, pace: number | undefined) {
  const done = Math.min(position.amount, head.amount);
  const left = head.amount - done;
  return {
    /** Unit of `done` and `of`: `bytes` where the store does not count events. */
    unit: head.unit,
    done,
    of: head.amount,
    // Rounded down: 100 means that nothing is left.
    percent: head.amount === 0 ? 100 : Math.floor((done / head.amount) * 1_000) / 10,
    /** In `unit`; undefined until it has been measured. */
    perSecond: pace,
    secondsLeft: left === 0 ? 0 : pace === undefined || pace <= 0 ? undefined : Math.ceil(left / pace),
  };
}

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** Its documents come from files: others work without it. */
  readonly isFiled: boolean;
  readonly state: ProjectionState;
  /** The version of the documents that queries read; undefined while they can read none. */
  readonly served: number | undefined;
  /** True if these are kept up to date. */
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
  /** In the process that writes: the version of the documents that queries read and it keeps up to date, if there are any. */
  readonly reads?: number | undefined;
}

/** `head`: the last position of the log that this process knows. */
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
    isFiled: isFiled(projection),
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

/** True if a start does not wait for it: a projection that reads files is built beside everything else. */
export function isBuilt({ isFiled, state }: Pick<ProjectionStatus, 'isFiled' | 'state'>): boolean {
  return isFiled || state !== 'building';
}
