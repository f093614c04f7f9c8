/** What the note of another process, maybe of another release, says of a projection as this process reads it. */
import { canRead } from '../ports/collection-shape.ts';
import { type Position, START } from '../ports/event-store.ts';
import { isFiled, type Projection } from './define-projection.ts';
import type { NotedProjection, ProgressNote } from './progress-note.ts';
import type { ProjectionStatus } from './projection-status.ts';

/** The release of the writer is newer than this one: the version that is live is not for this process. */
export function isLeftBehind(projection: Projection, noted: NotedProjection | undefined): boolean {
  return noted?.reads !== undefined && noted.reads.version > projection.version;
}

/**
 * Whether it is worth waiting until the projection shows a position. Not where the writer does not keep it for this
 * release: queries then answer that they cannot read it.
 */
function isToBeWaitedFor(projection: Projection, noted: NotedProjection | undefined): boolean {
  if (noted === undefined || isLeftBehind(projection, noted)) return false;
  if (noted.reads !== undefined) return true;
  // An older release writes, which will never write this version.
  return noted.version >= projection.version && noted.state !== 'failed';
}

/** What this process knows of a projection that another one writes. */
export interface SeenProjection {
  /** The writer's latest note; undefined before the first. */
  readonly note: ProgressNote | undefined;
  /** What it says of the projection. */
  readonly noted: NotedProjection | undefined;
  /** Queries of this process read the generation that the note names. */
  readonly isSeen: boolean;
  /** The writer has left a note lately. */
  readonly isHeard: boolean;
}

/** Whether queries of this process show the position, or never will. */
export function isShown(
  projection: Projection,
  { note, noted, isSeen }: SeenProjection,
  position: Position,
): boolean {
  if (isFiled(projection)) return true;
  if (note === undefined) return false;
  if (!isToBeWaitedFor(projection, noted)) return true;
  return isSeen && noted?.shown !== undefined && noted.shown >= position;
}

export function statusFrom(
  projection: Projection,
  { note, noted, isSeen, isHeard }: SeenProjection,
): ProjectionStatus {
  const { name, version } = projection;
  if (note === undefined || noted === undefined) {
    const error =
      note === undefined
        ? undefined
        : `release ${note.release}, which writes now, does not keep this read model`;
    return {
      name,
      version,
      isFiled: isFiled(projection),
      state: 'building',
      served: undefined,
      isCurrent: false,
      position: START,
      progress: undefined,
      lastEventAt: undefined,
      error,
    };
  }
  const isReadable = noted.reads !== undefined && canRead(projection, noted.reads);
  const isCurrent = noted.isCurrent && isReadable && isSeen && isHeard;
  return {
    name,
    version,
    isFiled: isFiled(projection),
    state: stateOf(projection, noted, isCurrent),
    served: isReadable ? noted.reads?.version : undefined,
    isCurrent,
    position: noted.position,
    progress: noted.version === version ? progressOf(noted) : undefined,
    lastEventAt: noted.lastEventAt,
    error: noted.error ?? problemOf(projection, noted),
    blockedBy: noted.blockedBy,
  };
}

function stateOf(
  projection: Projection,
  noted: NotedProjection,
  isCurrent: boolean,
): ProjectionStatus['state'] {
  if (isLeftBehind(projection, noted)) return 'failed';
  if (noted.state === 'failed' || noted.version < projection.version)
    return noted.state === 'failed' ? 'failed' : 'building';
  if (noted.version > projection.version) return isCurrent ? 'live' : 'building';
  return noted.state === 'live' && !isCurrent ? 'building' : noted.state;
}

function progressOf({ progress }: NotedProjection): ProjectionStatus['progress'] {
  return progress && { ...progress, perSecond: progress.perSecond, secondsLeft: progress.secondsLeft };
}

function problemOf(projection: Projection, noted: NotedProjection): string | undefined {
  const { version } = projection;
  if (isLeftBehind(projection, noted))
    return `version ${noted.reads?.version} is live, and this release reads version ${version}: start the newer release`;
  if (noted.version < version)
    return `an older release writes version ${noted.version}, and this one reads version ${version}: upgrade the process with the role \`projector\``;
  return undefined;
}
