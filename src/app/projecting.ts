/** Updates the read models; if several processes share them, in the process with the role `projector`. */

import { OperatorError, StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import {
  SHARED_WRITES,
  type SharedReadModel,
  WriterReplaced,
  WritesLost,
} from '../kernel/ports/shared-read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { Projection } from '../kernel/runtime/define-projection.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import type { HeldWork, LeaseTerm } from '../kernel/runtime/lease.ts';
import type { LogFollower } from '../kernel/runtime/log-follower.ts';
import { firstEventOf, otherLog } from '../kernel/runtime/log-source.ts';
import { createProjector, type Projector, type ProjectorOptions } from '../kernel/runtime/projector.ts';
import {
  isLeftBehind,
  reportedIn,
  type WriterStatus,
  writerStatusIn,
  writerStatusJson,
} from '../kernel/runtime/remote-projector.ts';
import { type Repetition, startRepetition } from '../kernel/runtime/repeat.ts';
import { retry } from '../kernel/runtime/retry.ts';
import { sleep } from '../kernel/runtime/sleep.ts';
import { wrapCalls } from '../kernel/runtime/wrap-calls.ts';
import { allProjections } from '../projections/index.ts';
import { READ_MODEL_REBUILDS_STREAM, readModelRebuilds } from '../streams/read-model-rebuilds.ts';
import type { Foundation } from './foundation.ts';
import { VERSION } from './version.ts';

interface ProjectingOptions extends Pick<ProjectorOptions, 'filesOf'> {
  readonly projections: readonly Projection[];
  readonly shared: SharedReadModel;
  readonly store: EventStore;
  readonly reader: EventReader;
  readonly following: Pick<LogFollower, 'listen'>;
  readonly categoryOfType: ReadonlyMap<string, string>;
  readonly clock: Clock;
  /** Release of this process, for operators. */
  readonly release: string;
  readonly logger: Logger;
}

export interface Projecting extends HeldWork {
  readonly ended: Promise<void>;
}

/** Milliseconds between two reads of rebuild requests: `REQUESTS_PAUSE` while a request waits. */
const REQUESTS_PAUSE = 500;
const MAX_REQUESTS_PAUSE = 60_000;
/** Milliseconds between two reports: minimum during changes, and maximum without changes. */
const MIN_REPORT_PAUSE = 20;
const MAX_REPORT_PAUSE = 1_000;
/** Milliseconds without access to the read model after which another process should try. */
const GIVE_UP_AFTER = 15_000;
const START_PAUSES = [100, 500, 2_000, 5_000];

/** Rejects with `OperatorError` if the read models belong to another log. */
export async function startProjections(foundation: Foundation): Promise<void> {
  const { remote, isShared, configuration, singletons, projector, loggerOf } = foundation;
  await projector.start();
  if (remote === undefined || !configuration.roles.has('projector')) return;
  const options = {
    ...foundation,
    projections: allProjections,
    shared: remote.shared,
    release: VERSION,
    logger: loggerOf('projections'),
  };
  await singletons.run('projector', (term) =>
    isShared ? startProjecting(options, term) : projectDuringTerm(options, term),
  );
}

/**
 * Like `projectDuringTerm`, for a log that other processes use: waits only briefly for an unresponsive read model, because
 * another process may reach it.
 */
export async function startProjecting(options: ProjectingOptions, term: LeaseTerm): Promise<Projecting> {
  const since = performance.now();
  return retry(() => projectDuringTerm(options, term), {
    pauses: START_PAUSES,
    signal: term.signal,
    failed(error) {
      if (!(error instanceof StoreUnavailable) || performance.now() - since > GIVE_UP_AFTER) throw error;
    },
  });
}

/** Works under the term until stopped or unable to continue. Rejects if it cannot start. */
async function projectDuringTerm(options: ProjectingOptions, term: LeaseTerm): Promise<Projecting> {
  const { projections, store, clock, release, logger } = options;
  const shared = writtenDuring(term, options.shared);
  const former = writerStatusIn((await shared.progress([])).status);
  const first = await firstEventOf(store);
  if (first === undefined) throw new Error('the log is empty: there is nothing to project yet');
  const log = first.id;
  if (former !== undefined && former.log !== log) throw otherLog();
  requireNotOlder(projections, former);
  await shared.startTerm(term.number);
  // If nothing was written yet, all read models are built from the start, which fulfils all requests.
  let handled = former?.rebuildsHandled ?? 0;
  if (former === undefined)
    for await (const { revision } of store.read(READ_MODEL_REBUILDS_STREAM)) handled = revision + 1;

  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const replaced = (error: WriterReplaced) => {
    logger.warn(
      { term: term.number, error: error.message },
      error instanceof WritesLost
        ? 'read models lost acknowledged writes, rebuilding them'
        : 'another process writes the read models',
    );
    end();
  };
  const projector: Projector = createProjector({
    ...options,
    readModel: shared,
    shared: { changed: () => reporting?.kick(), replaced },
  });
  const requests = createRebuildRequests({ ...options, projector, handled });
  let beat = 0;
  let reportedAt = performance.now();
  let reporting: Repetition | undefined;

  /** Resolves with the milliseconds until the next report, unless something changes. */
  async function report(): Promise<number> {
    try {
      await projector.saveCheckpoints();
      beat += 1;
      const rebuildsHandled = requests.handled();
      const reported = projector.status();
      await shared.writeStatus(
        writerStatusJson({ term: term.number, log, beat, release, rebuildsHandled, projections: reported }),
      );
    } catch (error) {
      if (error instanceof WriterReplaced) replaced(error);
      else if (performance.now() - reportedAt > GIVE_UP_AFTER) end();
      throw error;
    }
    reportedAt = performance.now();
    await sleep(MIN_REPORT_PAUSE, term.signal);
    return MAX_REPORT_PAUSE;
  }

  try {
    await projector.start();
  } catch (error) {
    await projector.stop();
    throw error;
  }
  reporting = startRepetition({
    name: 'read-model-status',
    clock,
    logger,
    work: report,
    longestBackoff: () => MAX_REPORT_PAUSE,
  });
  const looking = startRepetition({
    name: 'read-model-rebuilds',
    clock,
    logger,
    async work() {
      if (await requests.handle()) reporting?.kick();
      return requests.isWaiting() ? REQUESTS_PAUSE : MAX_REQUESTS_PAUSE;
    },
  });
  const deafen = options.following.listen(readModelRebuilds.category, looking.kick);
  return {
    ended,
    async stop() {
      deafen();
      await looking.stop();
      await projector.stop();
      await reporting?.stop();
    },
  };
}

/** Checks the term before every write; the store itself rejects writes that arrive too late. */
function writtenDuring(term: LeaseTerm, shared: SharedReadModel): SharedReadModel {
  return wrapCalls(shared, async (method, call) => {
    if (SHARED_WRITES.has(method) && !term.isHeld())
      throw new WriterReplaced('this process no longer holds the role "projector"');
    return call();
  });
}

/** An older release would rebuild read models that a newer one has replaced. */
function requireNotOlder(projections: readonly Projection[], former: WriterStatus | undefined): void {
  const newer = projections.find((projection) => isLeftBehind(projection, reportedIn(former, projection)));
  if (newer === undefined) return;
  throw new OperatorError(
    `Release ${former?.release} has built a newer version of the read model "${newer.name}", so this process is idle. Start the newer release here as well; to return to this one, set READ_MODEL_URL to an empty database.`,
  );
}

/** Starts the rebuilds that operators requested in any process; the requests are in the log. */
function createRebuildRequests(
  options: Pick<ProjectingOptions, 'projections' | 'store' | 'reader' | 'logger'> & {
    readonly projector: Projector;
    readonly handled: number;
  },
) {
  const { projections, projector, store, reader, logger } = options;
  let { handled } = options;
  let isWaiting = false;

  async function isDone(name: unknown): Promise<boolean> {
    const projection = projections.find((each) => each.name === name);
    // The request is from a release with other read models.
    if (projection === undefined) return true;
    const status = projector.status().find((each) => each.name === name);
    if (status?.state === 'building') return false;
    await projector.rebuild(projection);
    logger.info({ projection: projection.name }, 'projection rebuild started');
    return true;
  }

  return {
    /**
     * Starts all rebuilds that can start, and resolves with true if any did. Waits for projections that are being built or
     * catch up.
     */
    async handle(): Promise<boolean> {
      const before = handled;
      isWaiting = false;
      for await (const stored of store.read(READ_MODEL_REBUILDS_STREAM, handled)) {
        const request = await reader.read(stored);
        isWaiting = request !== undefined && !(await isDone(request.data.name));
        if (isWaiting) break;
        handled = stored.revision + 1;
      }
      return handled !== before;
    },
    isWaiting: () => isWaiting,
    handled: () => handled,
  };
}
