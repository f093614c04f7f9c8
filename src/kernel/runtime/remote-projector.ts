/**
 * Projections that another process writes into shared read models: this process reads their checkpoints and what the writer
 * reports, so that it can wait until they show a write of its own. Writes nothing.
 */

import { canRead } from '../ports/collection-shape.ts';
import { OperatorError, StoreUnavailable } from '../ports/errors.ts';
import { type JsonObject, type Position, START } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { BuildState, ReadModel } from '../ports/read-model.ts';
import type { SharedReadModel } from '../ports/shared-read-model.ts';
import { aroundCalls } from './around-calls.ts';
import { createCondition } from './condition.ts';
import { isFiled, type Projection } from './define-projection.ts';
import { otherLog } from './log-source.ts';
import { messageOf } from './message-of.ts';
import { isBuilt, type ProjectionStatus } from './projection-target.ts';
import type { Projections } from './projector.ts';
import { backoff } from './retry.ts';
import { sleep } from './sleep.ts';

export type RemoteProjector = ReturnType<typeof createRemoteProjector>;

export type RemoteWriter = ReturnType<RemoteProjector['writer']>;

/** A writer that reports nothing for so long does not write. Milliseconds. */
export const SILENT_AFTER = 5_000;
/** Milliseconds between two reads: while somebody waits, and while nobody does. */
const WAITED_FOR = 15;
const IDLE = 2_000;
/** A read model that answers late is not asked all the time: it has to write what is waited for. */
const LONGEST_WAITED_FOR = 250;
const PAUSES_AFTER_FAILURE = [100, 250, 500, 1_000, 2_000];
/** Milliseconds that a start waits for a read model that does not answer; then the wait continues in the background. */
const START_PATIENCE = 3_000;
/** Milliseconds that the answer to a request for a rebuild waits until it has begun. */
const REBUILD_PATIENCE = 3_000;

export function createRemoteProjector(options: {
  readonly projections: readonly Projection[];
  readonly readModel: SharedReadModel;
  /** The id of the log's first event; undefined while it is empty. */
  readonly firstEvent: () => Promise<string | undefined>;
  /** Records that an operator wants a rebuild; resolves with the number of requests so far. */
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
    isHeard: silentFor() < SILENT_AFTER,
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

  /** Resolves with the milliseconds after which to read again, while somebody waits. */
  async function readOnce(failures: number): Promise<number> {
    const begun = performance.now();
    try {
      await read();
      if (trouble !== undefined) logger.info({}, 'read model answers again');
      trouble = undefined;
      return Math.min(Math.max(WAITED_FOR, performance.now() - begun), LONGEST_WAITED_FOR);
    } catch (problem) {
      if (problem instanceof OperatorError) refusal = problem;
      const error = messageOf(problem);
      if (trouble === undefined) logger.warn({ error }, 'read model cannot be read, trying again');
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
      await condition.until(() => isReady || refusal !== undefined, START_PATIENCE);
      if (refusal !== undefined) throw refusal;
    },

    status: () => projections.map(statusOf),
    isCurrent: (projection) => statusOf(projection).isCurrent,

    whenBuilt: (milliseconds) =>
      condition.until(() => projections.every((one) => isBuilt(statusOf(one))), milliseconds),

    waitFor: (position, milliseconds) =>
      condition.until(() => projections.every((one) => isShown(one, seen(one), position)), milliseconds),

    async rebuild(projection, actor) {
      const reported = reportedIn(latest, projection);
      if (reported?.version === projection.version && reported.state === 'building') return false;
      const requests = await options.requestRebuild(projection.name, actor);
      await condition.until(() => (latest?.rebuildsHandled ?? 0) >= requests, REBUILD_PATIENCE);
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
      /** The term in the latest report; undefined before the first. */
      term: latest?.term,
      release: latest?.release,
      /** Milliseconds since this process has seen a new report, or since its start. */
      silentFor: silentFor(),
      /** The reason why the read model cannot be read at the moment. */
      error: trouble?.error,
      /** The remedy for the operator, if it is known. */
      whatToDo: trouble?.whatToDo,
    }),

    /**
     * The read model as queries may use it: until it is known to be of this log, and prepared, reads reject with
     * `StoreUnavailable`.
     */
    readModel: aroundCalls<ReadModel>(readModel, async (method, call) => {
      if (isReady || method === 'close') return call();
      throw new StoreUnavailable(refusal?.message ?? 'the read model has not answered yet');
    }),
  };
}

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
  /** The number of requests for a rebuild that the writer has handled since the log began. */
  readonly rebuildsHandled: number;
  readonly projections: readonly ProjectionStatus[];
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

/** State of a projection that another process writes, maybe of another release, as this one has read it. */
interface RemoteProjection {
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
): ProjectionStatus | undefined {
  return writer?.projections.find((each) => each.name === name);
}

/** The release of the writer is newer than this one: the version that is live is not for this process. */
export function isLeftBehind({ version }: Projection, reported: ProjectionStatus | undefined): boolean {
  return reported?.reads !== undefined && reported.reads > version;
}

/**
 * True if the projection can come to show a position. It cannot if the writer does not keep it for this release: queries
 * then answer that they cannot read it.
 */
function canComeToShow(projection: Projection, reported: ProjectionStatus | undefined): boolean {
  if (reported === undefined || isLeftBehind(projection, reported)) return false;
  if (reported.reads !== undefined) return true;
  // An older release writes, which will never write this version.
  return reported.version >= projection.version && reported.state !== 'failed';
}

/** True if queries of this process show the position, or never will. */
function isShown(projection: Projection, { writer, served }: RemoteProjection, position: Position): boolean {
  if (isFiled(projection)) return true;
  if (writer === undefined) return false;
  const reported = reportedIn(writer, projection);
  if (!canComeToShow(projection, reported)) return true;
  return reported?.reads !== undefined && (served?.checkpoint ?? START) >= position;
}

function statusFrom(projection: Projection, { writer, served, isHeard }: RemoteProjection): ProjectionStatus {
  const { name, version } = projection;
  const reported = reportedIn(writer, projection);
  const isReadable = reported?.reads !== undefined && canRead(projection, { version: reported.reads });
  const isCurrent = reported?.isCurrent === true && isReadable && served !== undefined && isHeard;
  const checkpoint = served?.version === version ? (served.checkpoint ?? START) : START;
  const position = reported?.position ?? START;
  return {
    name,
    version,
    isFiled: isFiled(projection),
    state: reported === undefined ? 'building' : stateOf(projection, reported, isCurrent),
    served: isReadable ? reported.reads : undefined,
    isCurrent,
    // The report is the older of the two, but alone tells of a build that is not read yet.
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
  if (reported === undefined) return `release ${release}, which writes now, does not keep this read model`;
  if (isLeftBehind(projection, reported))
    return `version ${reported.reads} is live, and this release reads version ${version}: start the newer release`;
  if (reported.version < version)
    return `an older release writes version ${reported.version}, and this one reads version ${version}: upgrade the process with the role \`projector\``;
  return undefined;
}
