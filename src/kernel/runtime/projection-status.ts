/** Status of the projections of a process, for readiness, operators and other processes. */
import { type EventStore, type LogExtent, type Position, START } from '../ports/event-store.ts';
import { isFiled } from './define-projection.ts';
import type { UndecodableEvent } from './event-codec.ts';
import { isUpToDate, type ProjectionBuilds, type ProjectionState, servedOf } from './projection-target.ts';

export interface RebuildProgress {
  /** Unit of `done` and `of`: `bytes` where the store does not count events. */
  readonly unit: LogExtent['unit'];
  readonly done: number;
  readonly of: number;
  readonly percent: number;
  /** In `unit`; undefined until it has been measured. */
  readonly perSecond: number | undefined;
  readonly secondsLeft: number | undefined;
}

function progressOf(position: LogExtent, head: LogExtent, pace: number | undefined): RebuildProgress {
  const done = Math.min(position.amount, head.amount);
  const left = head.amount - done;
  return {
    unit: head.unit,
    done,
    of: head.amount,
    // Rounded down: 100 means that nothing is left.
    percent: head.amount === 0 ? 100 : Math.floor((done / head.amount) * 1_000) / 10,
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
  /** The version of the documents that queries read and this process writes; undefined while there are none. */
  readonly reads: number | undefined;
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
  };
}

export function progressFrom(
  builds: ProjectionBuilds,
  head: Position,
  extentOf: EventStore['extentOf'],
): ProjectionProgress {
  return { ...statusOf(builds, head, extentOf), reads: servedOf(builds)?.generation.version };
}
