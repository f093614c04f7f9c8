/** What a process says of the projections that it keeps: to readiness, operators and the other processes. */
import { type EventStore, type Position, START } from '../ports/event-store.ts';
import { isFiled } from './define-projection.ts';
import type { UndecodableEvent } from './event-codec.ts';
import { isUpToDate, type Kept, servedOf } from './kept-projection.ts';
import type { ProjectionState } from './projection-target.ts';
import { progressOf, type RebuildProgress } from './rebuild-progress.ts';

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
export function statusOf(kept: Kept, head: Position, extentOf: EventStore['extentOf']): ProjectionStatus {
  const { projection, own } = kept;
  const { name, version } = projection;
  const position = own?.position ?? START;
  const end = position > head ? position : head;
  const isBuilding = own === undefined || own.state === 'building';
  return {
    name,
    version,
    isFiled: isFiled(projection),
    state: own?.state ?? 'building',
    served: servedOf(kept)?.generation.version ?? (own?.isServed ? version : undefined),
    isCurrent: isUpToDate(kept),
    position,
    progress: isBuilding ? progressOf(extentOf(position), extentOf(end), own?.pace.perSecond()) : undefined,
    lastEventAt: own?.lastEventAt,
    error: own?.error,
    blockedBy: own?.blockedBy?.event,
  };
}

export function progressFrom(
  kept: Kept,
  head: Position,
  extentOf: EventStore['extentOf'],
): ProjectionProgress {
  return { ...statusOf(kept, head, extentOf), reads: servedOf(kept)?.generation.version };
}
