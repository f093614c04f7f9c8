/**
 * Projections that another process writes into shared read models: this process reads their checkpoints and what the writer
 * reports, so that it can wait until they show a write of its own. Writes nothing.
 */

import { OperatorError, StoreUnavailable } from '../ports/errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { BuildState, ReadModel } from '../ports/read-model.ts';
import type { SharedReadModel } from '../ports/shared-read-model.ts';
import { aroundCalls } from './around-calls.ts';
import { createCondition } from './condition.ts';
import type { Projection } from './define-projection.ts';
import { otherLog } from './log-source.ts';
import { messageOf } from './message-of.ts';
import type { ProjectionStatus } from './projection-status.ts';
import type { Projections } from './projector.ts';
import {
  isShown,
  type RemoteProjection,
  reportedIn,
  statusFrom,
  type WriterStatus,
  writerStatusIn,
} from './remote-projection.ts';
import { backoff } from './retry.ts';
import { sleep } from './sleep.ts';

export interface RemoteWriter {
  /** The term in the latest report; undefined before the first. */
  readonly term: number | undefined;
  readonly release: string | undefined;
  /** Milliseconds since this process has seen a new report, or since its start. */
  readonly silentFor: number;
  /** Why the read model cannot be read at the moment. */
  readonly error: string | undefined;
  /** What the operator can do about that, where it is known. */
  readonly whatToDo: string | undefined;
}

export interface RemoteProjector extends Projections {
  writer(): RemoteWriter;
  /**
   * The read model as queries may use it: until it is known to be of this log, and prepared, reads reject with
   * `StoreUnavailable`.
   */
  readonly readModel: ReadModel;
}

export interface RemoteProjectorOptions {
  readonly projections: readonly Projection[];
  readonly readModel: SharedReadModel;
  /** The id of the log's first event; undefined while it is empty. */
  readonly firstEvent: () => Promise<string | undefined>;
  /** Records that an operator wants a rebuild; resolves with how many requests there are now. */
  readonly requestRebuild: (name: string, actor: string) => Promise<number>;
  readonly logger: Logger;
}

/** A writer that reports nothing for so long does not write. Milliseconds. */
export const SILENT_AFTER = 5_000;
/** Milliseconds between two reads: while somebody waits, and while nobody does. */
const WAITED_FOR = 15;
const IDLE = 2_000;
/** A read model that answers late is not asked all the time: it has to write what is waited for. */
const LONGEST_WAITED_FOR = 250;
const PAUSES_AFTER_FAILURE = [100, 250, 500, 1_000, 2_000];
/** How long a start waits for a read model that does not answer; then it goes on waiting in the background. */
const START_PATIENCE = 3_000;
/** How long the answer to a request for a rebuild waits until it has begun. */
const REBUILD_PATIENCE = 3_000;

export function createRemoteProjector(options: RemoteProjectorOptions): RemoteProjector {
  const { projections, readModel, firstEvent, logger } = options;
  const stopping = new AbortController();
  const condition = createCondition(() => wake.abort());
  let isReady = false;
  let latest: WriterStatus | undefined;
  let served: ReadonlyMap<string, BuildState> = new Map();
  let heardAt = performance.now();
  let trouble: Pick<RemoteWriter, 'error' | 'whatToDo'> | undefined;
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

  return {
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

    writer: () => ({
      term: latest?.term,
      release: latest?.release,
      silentFor: silentFor(),
      error: trouble?.error,
      whatToDo: trouble?.whatToDo,
    }),

    readModel: aroundCalls<ReadModel>(readModel, async (method, call) => {
      if (isReady || method === 'close') return call();
      throw new StoreUnavailable(refusal?.message ?? 'the read model has not answered yet');
    }),

    async stop() {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}

/** One that reads files is built beside everything else. */
function isBuilt({ isFiled, state }: ProjectionStatus): boolean {
  return isFiled || state !== 'building';
}
