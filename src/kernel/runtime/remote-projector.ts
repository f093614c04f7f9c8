/**
 * Projections that another process writes into shared read models. Reads their checkpoints and the writer's status, so that
 * callers can wait until queries include their writes. Writes nothing.
 */

import { canRead } from '../ports/collection-shape.ts';
import { OperatorError, StoreUnavailable } from '../ports/errors.ts';
import { type JsonObject, type Position, START } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { BuildState, ReadModel } from '../ports/read-model.ts';
import type { SharedReadModel } from '../ports/shared-read-model.ts';
import { createCondition } from './condition.ts';
import { isFileBacked, type Projection } from './define-projection.ts';
import { errorMessage } from './error-message.ts';
import { otherLog } from './log-source.ts';
import { isBuilt, type ProjectionStatus } from './projection-target.ts';
import type { Projections } from './projector.ts';
import { backoff } from './retry.ts';
import { sleep } from './sleep.ts';
import { wrapCalls } from './wrap-calls.ts';

export type RemoteProjector = ReturnType<typeof createRemoteProjector>;

export type RemoteWriter = ReturnType<RemoteProjector['writer']>;

/** Milliseconds without a report after which the writer counts as stopped. */
export const SILENT_AFTER = 5_000;
/** Milliseconds between two reads: `WAITED_FOR` while callers wait, `IDLE` otherwise. */
const WAITED_FOR = 15;
const IDLE = 2_000;
/**
 * Maximum milliseconds between two reads while callers wait. A slow read model is polled less, because it must also write
 * the awaited events.
 */
const MAX_WAITED_FOR = 250;
const PAUSES_AFTER_FAILURE = [100, 250, 500, 1_000, 2_000];
/** Milliseconds that startup waits for an unresponsive read model; then the wait continues in the background. */
const START_TIMEOUT = 3_000;
/** Milliseconds that a request for a rebuild waits for its start. */
const REBUILD_TIMEOUT = 3_000;

export function createRemoteProjector(options: {
  readonly projections: readonly Projection[];
  readonly readModel: SharedReadModel;
  /** Id of the log's first event; undefined for an empty log. */
  readonly firstEvent: () => Promise<string | undefined>;
  /** Records an operator's request for a rebuild; resolves with the number of requests so far. */
  readonly requestRebuild: (name: string, actor: string) => Promise<number>;
  readonly logger: Logger;
}) {
  const { projections, readModel, firstEvent, logger } = options;
  const stopping = new AbortController();
  const condition = createCondition(() => wake.abort());
  let isReady = false;
  let latest: WriterStatus | undefined;
  let served: ReadonlyMap<string, BuildState> = new Map();
  let heardAt = performance.now();
  let trouble: { readonly error: string; readonly whatToDo: string | undefined } | undefined;
  let refusal: OperatorError | undefined;
  let wake = new AbortController();
  let running: Promise<void> | undefined;

  const silentFor = () => performance.now() - heardAt;
  const seen = ({ name }: Projection): RemoteProjection => ({
    writer: latest,
    served: served.get(name),
    isResponding: silentFor() < SILENT_AFTER,
  });
  const statusOf = (projection: Projection) => statusFrom(projection, seen(projection));

  async function read(): Promise<void> {
    const found = await readModel.progress(projections);
    const status = writerStatusIn(found.status);
    if (!isReady) {
      if (status !== undefined && status.log !== (await firstEvent())) throw otherLog();
      await readModel.prepare(projections);
      isReady = true;
    }
    if (status !== undefined && (status.beat !== latest?.beat || status.term !== latest.term))
      heardAt = performance.now();
    latest = status;
    served = found.served;
  }

  /** Resolves with the pause in milliseconds before the next read, if a caller waits or this read failed. */
  async function readOnce(failures: number): Promise<number> {
    const begun = performance.now();
    try {
      await read();
      if (trouble !== undefined) logger.info({}, 'read model available again');
      trouble = undefined;
      return Math.min(Math.max(WAITED_FOR, performance.now() - begun), MAX_WAITED_FOR);
    } catch (problem) {
      if (problem instanceof OperatorError) refusal = problem;
      const error = errorMessage(problem);
      if (trouble === undefined) logger.warn({ error }, 'read model cannot be read, retrying');
      trouble = { error, whatToDo: problem instanceof StoreUnavailable ? problem.whatToDo : undefined };
      return backoff(PAUSES_AFTER_FAILURE, failures);
    } finally {
      condition.notify();
    }
  }

  async function follow(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const pause = await readOnce(failures);
      failures = trouble === undefined ? 0 : failures + 1;
      if (trouble !== undefined || condition.size > 0) await sleep(pause, stopping.signal);
      else await sleep(IDLE, wake.signal);
    }
  }

  const projecting: Projections = {
    async start() {
      running ??= follow();
      await condition.until(() => isReady || refusal !== undefined, START_TIMEOUT);
      if (refusal !== undefined) throw refusal;
    },

    status: () => projections.map(statusOf),
    isCurrent: (projection) => statusOf(projection).isCurrent,

    whenBuilt: (milliseconds) =>
      condition.until(() => projections.every((one) => isBuilt(statusOf(one))), milliseconds),

    waitFor: (position, milliseconds) =>
      condition.until(() => projections.every((one) => isProjected(one, seen(one), position)), milliseconds),

    async rebuild(projection, actor) {
      const reported = reportedIn(latest, projection);
      if (reported?.version === projection.version && reported.state === 'building') return false;
      const requests = await options.requestRebuild(projection.name, actor);
      await condition.until(() => (latest?.rebuildsHandled ?? 0) >= requests, REBUILD_TIMEOUT);
      return true;
    },

    async stop() {
      stopping.abort();
      wake.abort();
      await running;
    },
  };

  return {
    ...projecting,

    writer: () => ({
      /** Term of the latest report; undefined before the first. */
      term: latest?.term,
      release: latest?.release,
      /** Milliseconds since the last new report, or since the start of this process. */
      silentFor: silentFor(),
      /** Reason why the read model cannot be read; otherwise undefined. */
      error: trouble?.error,
      /** Remedy for the operator, if known. */
      whatToDo: trouble?.whatToDo,
    }),

    /** Read model for queries: rejects with `StoreUnavailable` until it is prepared and known to belong to this log. */
    readModel: wrapCalls<ReadModel>(readModel, async (method, call) => {
      if (isReady || method === 'close') return call();
      throw new StoreUnavailable(refusal?.message ?? 'the read model has not responded yet');
    }),
  };
}

/**
 * Status that the writer of shared read models reports to other processes. Positions are read from the checkpoints instead.
 * The processes may run older or newer releases, so fields are only ever added, and unknown ones ignored.
 */
export interface WriterStatus {
  readonly term: number;
  /** Id of the first event of the read models' log. */
  readonly log: string;
  /** Number of the report within the term. */
  readonly beat: number;
  readonly release: string;
  /** Number of rebuild requests that the writer has handled since the log began. */
  readonly rebuildsHandled: number;
  readonly projections: readonly ProjectionStatus[];
}

/** Undefined if this release cannot read the status. */
export function writerStatusIn(found: JsonObject | undefined): WriterStatus | undefined {
  const isReadable = typeof found?.log === 'string' && Array.isArray(found.projections);
  return isReadable ? (found as unknown as WriterStatus) : undefined;
}

export function writerStatusJson(status: WriterStatus): JsonObject {
  // JSON omits undefined fields.
  return JSON.parse(JSON.stringify(status));
}

/** State of a projection that another process writes, possibly of another release, as last read by this process. */
interface RemoteProjection {
  /** Undefined before the first report. */
  readonly writer: WriterStatus | undefined;
  /** Build that queries of this process read. */
  readonly served: BuildState | undefined;
  /** True if the writer has reported recently. */
  readonly isResponding: boolean;
}

export function reportedIn(
  writer: WriterStatus | undefined,
  { name }: Projection,
): ProjectionStatus | undefined {
  return writer?.projections.find((each) => each.name === name);
}

/** True if the writer's release is newer and its live version is unreadable for this process. */
export function isLeftBehind({ version }: Projection, reported: ProjectionStatus | undefined): boolean {
  return reported?.reads !== undefined && reported.reads > version;
}

/**
 * True if queries may include a position later. False if the writer does not update this release's version: then queries
 * fail.
 */
function canComeToShow(projection: Projection, reported: ProjectionStatus | undefined): boolean {
  if (reported === undefined || isLeftBehind(projection, reported)) return false;
  if (reported.reads !== undefined) return true;
  // The writer is an older release, which never writes this version.
  return reported.version >= projection.version && reported.state !== 'failed';
}

/** True if queries of this process include the position, or never will. */
function isProjected(
  projection: Projection,
  { writer, served }: RemoteProjection,
  position: Position,
): boolean {
  if (isFileBacked(projection)) return true;
  if (writer === undefined) return false;
  const reported = reportedIn(writer, projection);
  if (!canComeToShow(projection, reported)) return true;
  return reported?.reads !== undefined && (served?.checkpoint ?? START) >= position;
}

function statusFrom(
  projection: Projection,
  { writer, served, isResponding }: RemoteProjection,
): ProjectionStatus {
  const { name, version } = projection;
  const reported = reportedIn(writer, projection);
  const isReadable = reported?.reads !== undefined && canRead(projection, { version: reported.reads });
  const isCurrent = reported?.isCurrent === true && isReadable && served !== undefined && isResponding;
  const checkpoint = served?.version === version ? (served.checkpoint ?? START) : START;
  const position = reported?.position ?? START;
  return {
    name,
    version,
    isFileBacked: isFileBacked(projection),
    state: reported === undefined ? 'building' : stateOf(projection, reported, isCurrent),
    served: isReadable ? reported.reads : undefined,
    isCurrent,
    // The report is older than the checkpoint, but only the report covers a build that queries do not read yet.
    position: checkpoint > position ? checkpoint : position,
    progress: reported?.version === version ? reported.progress : undefined,
    lastEventAt: reported?.lastEventAt,
    error: reported?.error ?? (writer && problemOf(projection, reported, writer)),
    blockedBy: reported?.blockedBy,
  };
}

function stateOf(
  projection: Projection,
  reported: ProjectionStatus,
  isCurrent: boolean,
): ProjectionStatus['state'] {
  if (isLeftBehind(projection, reported) || reported.state === 'failed') return 'failed';
  const ahead = reported.version - projection.version;
  return isCurrent && (ahead > 0 || (ahead === 0 && reported.state === 'live')) ? 'live' : 'building';
}

function problemOf(
  projection: Projection,
  reported: ProjectionStatus | undefined,
  { release }: WriterStatus,
): string | undefined {
  const { version } = projection;
  if (reported === undefined)
    return `release ${release}, which writes the read models, does not have this one`;
  if (isLeftBehind(projection, reported))
    return `version ${reported.reads} is live, and this release reads version ${version}: start the newer release`;
  if (reported.version < version)
    return `an older release writes version ${reported.version}, and this one reads version ${version}: upgrade the process with the role \`projector\``;
  return undefined;
}
