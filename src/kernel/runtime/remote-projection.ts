/** State of a projection that another process writes, maybe of another release, as this process reads it. */
import { canRead } from '../ports/collection-shape.ts';
import { type JsonObject, type Position, START } from '../ports/event-store.ts';
import type { BuildState } from '../ports/read-model.ts';
import { isFiled, type Projection } from './define-projection.ts';
import type { ProjectionProgress, ProjectionStatus } from './projection-status.ts';

/**
 * Status that the writer of shared read models reports to the other processes. Positions are read from the checkpoints. A
 * process may be of an older or newer release, so fields are only ever added, and unknown ones are ignored.
 */
export interface WriterStatus {
  readonly term: number;
  /** The id of the first event of the log that the read models are made from. */
  readonly log: string;
  /** Grows with each report of a term. */
  readonly beat: number;
  readonly release: string;
  /** How many of the requests for a rebuild the writer has handled, since the log began. */
  readonly rebuildsHandled: number;
  readonly projections: readonly ProjectionProgress[];
}

/** Undefined if this release cannot read it. */
export function writerStatusIn(found: JsonObject | undefined): WriterStatus | undefined {
  const isReadable = typeof found?.log === 'string' && Array.isArray(found.projections);
  return isReadable ? (found as unknown as WriterStatus) : undefined;
}

export function writerStatusJson(status: WriterStatus): JsonObject {
  // JSON has no undefined: such fields are left out.
  return JSON.parse(JSON.stringify(status));
}

/** State of a projection that another process writes, as this one has read it. */
export interface RemoteProjection {
  /** Undefined before the first. */
  readonly writer: WriterStatus | undefined;
  /** The build that queries of this process read. */
  readonly served: BuildState | undefined;
  /** The writer has reported lately. */
  readonly isHeard: boolean;
}

export function reportedIn(
  writer: WriterStatus | undefined,
  { name }: Projection,
): ProjectionProgress | undefined {
  return writer?.projections.find((each) => each.name === name);
}

/** The release of the writer is newer than this one: the version that is live is not for this process. */
export function isLeftBehind({ version }: Projection, reported: ProjectionProgress | undefined): boolean {
  return reported?.reads !== undefined && reported.reads > version;
}

/**
 * True if the projection can come to show a position. It cannot if the writer does not keep it for this release: queries
 * then answer that they cannot read it.
 */
function canComeToShow(projection: Projection, reported: ProjectionProgress | undefined): boolean {
  if (reported === undefined || isLeftBehind(projection, reported)) return false;
  if (reported.reads !== undefined) return true;
  // An older release writes, which will never write this version.
  return reported.version >= projection.version && reported.state !== 'failed';
}

/** True if queries of this process show the position, or never will. */
export function isShown(
  projection: Projection,
  { writer, served }: RemoteProjection,
  position: Position,
): boolean {
  if (isFiled(projection)) return true;
  if (writer === undefined) return false;
  const reported = reportedIn(writer, projection);
  if (!canComeToShow(projection, reported)) return true;
  return reported?.reads !== undefined && (served?.checkpoint ?? START) >= position;
}

export function statusFrom(
  projection: Projection,
  { writer, served, isHeard }: RemoteProjection,
): ProjectionStatus {
  const { name, version } = projection;
  const reported = reportedIn(writer, projection);
  if (reported === undefined) {
    const error = writer && `release ${writer.release}, which writes now, does not keep this read model`;
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
  const { reads, position, progress, lastEventAt, blockedBy } = reported;
  const isReadable = reads !== undefined && canRead(projection, { version: reads });
  const isCurrent = reported.isCurrent && isReadable && served !== undefined && isHeard;
  const checkpoint = served?.version === version ? (served.checkpoint ?? START) : START;
  return {
    name,
    version,
    isFiled: isFiled(projection),
    state: stateOf(projection, reported, isCurrent),
    served: isReadable ? reads : undefined,
    isCurrent,
    // The report is the older of the two, but alone tells of a build that is not read yet.
    position: checkpoint > position ? checkpoint : position,
    progress: reported.version === version ? progress : undefined,
    lastEventAt,
    error: reported.error ?? problemOf(projection, reported),
    blockedBy,
  };
}

function stateOf(
  projection: Projection,
  reported: ProjectionProgress,
  isCurrent: boolean,
): ProjectionStatus['state'] {
  if (isLeftBehind(projection, reported)) return 'failed';
  if (reported.state === 'failed' || reported.version < projection.version)
    return reported.state === 'failed' ? 'failed' : 'building';
  if (reported.version > projection.version) return isCurrent ? 'live' : 'building';
  return reported.state === 'live' && !isCurrent ? 'building' : reported.state;
}

function problemOf(projection: Projection, reported: ProjectionProgress): string | undefined {
  const { version } = projection;
  if (isLeftBehind(projection, reported))
    return `version ${reported.reads} is live, and this release reads version ${version}: start the newer release`;
  if (reported.version < version)
    return `an older release writes version ${reported.version}, and this one reads version ${version}: upgrade the process with the role \`projector\``;
  return undefined;
}
