/**
 * Follows the projector of another process by the note that it leaves in the shared read models: so that this process
 * knows how far they are, and can wait until they show a write of its own. Writes nothing.
 */

import type { Logger } from '../ports/logger.ts';
import { OperatorError } from '../ports/operator-error.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { withMethods } from './around-calls.ts';
import type { Projection } from './define-projection.ts';
import { createFollowedNotes, type FollowedNotesOptions } from './followed-notes.ts';
import { messageOf } from './message-of.ts';
import { isShown, statusFrom } from './noted-projection.ts';
import { pauseFor } from './pause-for.ts';
import type { ProjectionStatus } from './projection-status.ts';
import type { Projections } from './projector.ts';
import { growingPause } from './try-again.ts';
import { createWaiters } from './waiters.ts';

export interface FollowedWriter {
  /** The term in the latest note; undefined before the first. */
  readonly term: number | undefined;
  readonly release: string | undefined;
  /** Milliseconds since this process has seen a new note, or since its start. */
  readonly silentFor: number;
  /** Why the read model cannot be read at the moment. */
  readonly error: string | undefined;
  /** What the operator can do about that, where it is known. */
  readonly whatToDo: string | undefined;
}

export interface FollowedProjector extends Projections {
  writer(): FollowedWriter;
  /**
   * The read model as queries may use it: until it is known to be of this log, and prepared, reads reject with
   * `StoreUnavailable`.
   */
  readonly readModel: ReadModel;
}

export interface FollowedProjectorOptions extends FollowedNotesOptions {
  /** Records that an operator wants a rebuild; resolves with how many requests there are now. */
  readonly requestRebuild: (name: string, actor: string) => Promise<number>;
  readonly logger: Logger;
}

/** Milliseconds between two looks: while somebody waits, and while nobody does. */
const WAITED_FOR = 15;
const IDLE = 1_000;
/** A read model that answers late is not asked all the time: it has to write what is waited for. */
const LONGEST_WAITED_FOR = 250;
const PAUSES_AFTER_FAILURE = [100, 250, 500, 1_000, 2_000];
/** How long a start waits for a read model that does not answer; then it goes on waiting in the background. */
const START_PATIENCE = 3_000;
/** How long the answer to a request for a rebuild waits until it has begun. */
const REBUILD_PATIENCE = 3_000;

export function createFollowedProjector(options: FollowedProjectorOptions): FollowedProjector {
  const { projections, readModel, logger } = options;
  const stopping = new AbortController();
  const waiters = createWaiters(() => wake.abort());
  const notes = createFollowedNotes(options);
  let trouble: ReadTrouble | undefined;
  let refusal: OperatorError | undefined;
  let wake = new AbortController();
  let running: Promise<void> | undefined;

  const statusOf = (projection: Projection) => statusFrom(projection, notes.seen(projection));

  /** Resolves with the milliseconds after which to look again, while somebody waits. */
  async function lookOnce(failures: number): Promise<number> {
    const begun = performance.now();
    try {
      await notes.look();
      if (trouble !== undefined) logger.info({}, 'read model answers again');
      trouble = undefined;
      return Math.min(Math.max(WAITED_FOR, performance.now() - begun), LONGEST_WAITED_FOR);
    } catch (problem) {
      if (problem instanceof OperatorError) refusal = problem;
      const error = messageOf(problem);
      if (trouble === undefined) logger.warn({ error }, 'read model cannot be read, trying again');
      trouble = { error, whatToDo: problem instanceof StoreUnavailable ? problem.whatToDo : undefined };
      return growingPause(PAUSES_AFTER_FAILURE, failures);
    } finally {
      waiters.lookAgain();
    }
  }

  async function follow(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const pause = await lookOnce(failures);
      failures = trouble === undefined ? 0 : failures + 1;
      if (trouble !== undefined || waiters.size > 0) await pauseFor(pause, stopping.signal);
      else await pauseFor(IDLE, wake.signal);
    }
  }

  async function requireReady(): Promise<void> {
    if (notes.isReady()) return;
    throw new StoreUnavailable(refusal?.message ?? 'the read model has not answered yet');
  }

  return {
    async start() {
      running ??= follow();
      await waiters.until(() => notes.isReady() || refusal !== undefined, START_PATIENCE);
      if (refusal !== undefined) throw refusal;
    },

    status: () => projections.map(statusOf),
    isCurrent: (projection) => statusOf(projection).isCurrent,

    whenBuilt: (milliseconds) =>
      waiters.until(() => projections.every((one) => isBuilt(statusOf(one))), milliseconds),

    waitFor: (position, milliseconds) =>
      waiters.until(() => projections.every((one) => isShown(one, notes.seen(one), position)), milliseconds),

    async rebuild(projection, actor) {
      const { noted } = notes.seen(projection);
      if (noted?.version === projection.version && noted.state === 'building') return false;
      const requests = await options.requestRebuild(projection.name, actor);
      await waiters.until(() => (notes.latest()?.rebuildsHandled ?? 0) >= requests, REBUILD_PATIENCE);
      return true;
    },

    writer: () => ({
      term: notes.latest()?.term,
      release: notes.latest()?.release,
      silentFor: notes.silentFor(),
      error: trouble?.error,
      whatToDo: trouble?.whatToDo,
    }),
    readModel: gated(readModel, requireReady),

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

/** Why the read model cannot be read at the moment. */
type ReadTrouble = Pick<FollowedWriter, 'whatToDo'> & { readonly error: string };

/** Each read first waits for the permission. */
function gated(readModel: ReadModel, requireReady: () => Promise<void>): ReadModel {
  return withMethods(readModel, {
    async get(...call) {
      await requireReady();
      return readModel.get(...call);
    },
    async find(...call) {
      await requireReady();
      return readModel.find(...call);
    },
    async count(...call) {
      await requireReady();
      return readModel.count(...call);
    },
    async ordered(...call) {
      await requireReady();
      return readModel.ordered(...call);
    },
    async page(...call) {
      await requireReady();
      return readModel.page(...call);
    },
    async search(...call) {
      await requireReady();
      return readModel.search(...call);
    },
    async served(...call) {
      await requireReady();
      return readModel.served(...call);
    },
  });
}
