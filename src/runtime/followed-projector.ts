/**
 * Follows the projector of another process by the note that it leaves in the shared read models: so that this process
 * knows how far they are, and can wait until they show a write of its own. Writes nothing.
 */

import type { Position } from '../ports/event-store.ts';
import { OperatorError } from '../ports/operator-error.ts';
import type { ReadModel } from '../ports/read-model.ts';
import type { SharedReadModel } from '../ports/shared-read-model.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { withMethods } from './around-calls.ts';
import type { Projection } from './define-projection.ts';
import { otherLog } from './log-source.ts';
import { messageOf } from './message-of.ts';
import { isToBeWaitedFor, statusFrom } from './noted-projection.ts';
import { pauseFor } from './pause-for.ts';
import { type NotedProjection, type ProgressNote, readNote } from './progress-note.ts';
import type { Projections } from './projector.ts';
import { createWaiters } from './waiters.ts';

export interface FollowedWriter {
  /** Of the latest note; undefined before the first. */
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

export interface FollowedProjectorOptions {
  readonly projections: readonly Projection[];
  readonly readModel: SharedReadModel;
  /** The id of the log's first event; undefined while it is empty. */
  readonly firstEvent: () => Promise<string | undefined>;
  /** Records that an operator wants a rebuild; resolves with how many requests there are now. */
  readonly requestRebuild: (name: string, actor: string) => Promise<number>;
  readonly report: (message: string, details: object) => void;
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
/** A writer that says nothing for so long does not write. */
export const SILENT_AFTER = 5_000;

export function createFollowedProjector(options: FollowedProjectorOptions): FollowedProjector {
  const { projections, readModel, report } = options;
  const stopping = new AbortController();
  const waiters = createWaiters(() => wake.abort());
  /** By projection, the generation that queries of this process were seen to read. */
  const seen = new Map<string, string>();
  let note: ProgressNote | undefined;
  let heardAt = performance.now();
  let error: string | undefined;
  let whatToDo: string | undefined;
  let refusal: OperatorError | undefined;
  let isReady = false;
  let wake = new AbortController();
  let running: Promise<void> | undefined;

  const silentFor = () => performance.now() - heardAt;
  const notedOf = ({ name }: Projection) => note?.projections.find((each) => each.name === name);
  const isSeen = (projection: Projection, noted: NotedProjection | undefined) =>
    noted?.reads !== undefined && seen.get(projection.name) === keyOf(noted.reads);

  function hasReached(projection: Projection, position: Position): boolean {
    const noted = notedOf(projection);
    if (note === undefined) return false;
    if (!isToBeWaitedFor(projection, noted)) return true;
    return isSeen(projection, noted) && noted?.shown !== undefined && noted.shown >= position;
  }

  const statusOf = (projection: Projection) =>
    statusFrom(projection, {
      note,
      isSeen: isSeen(projection, notedOf(projection)),
      isHeard: silentFor() < SILENT_AFTER,
    });

  async function makeReady(): Promise<void> {
    const found = await lookUp();
    if (found !== undefined && found.log !== (await options.firstEvent())) throw otherLog();
    await readModel.prepare(projections);
    isReady = true;
  }

  async function lookUp(): Promise<ProgressNote | undefined> {
    const found = await readModel.progress();
    return found && readNote(found);
  }

  async function look(): Promise<void> {
    if (!isReady) await makeReady();
    const found = await lookUp();
    if (found !== undefined && (found.beat !== note?.beat || found.term !== note.term))
      heardAt = performance.now();
    note = found;
    for (const projection of projections) {
      const noted = notedOf(projection);
      if (noted?.reads === undefined || isSeen(projection, noted)) continue;
      const served = await readModel.served(projection);
      if (served !== undefined) seen.set(projection.name, keyOf(served));
    }
  }

  async function follow(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      let pause: number;
      const begun = performance.now();
      try {
        await look();
        if (error !== undefined) report('read model answers again', { isUsual: true });
        failures = 0;
        error = undefined;
        whatToDo = undefined;
        pause = Math.min(Math.max(WAITED_FOR, performance.now() - begun), LONGEST_WAITED_FOR);
      } catch (problem) {
        if (problem instanceof OperatorError) refusal = problem;
        if (error === undefined)
          report('read model cannot be read, trying again', { error: messageOf(problem) });
        error = messageOf(problem);
        whatToDo = problem instanceof StoreUnavailable ? problem.whatToDo : undefined;
        pause = PAUSES_AFTER_FAILURE[failures] ?? PAUSES_AFTER_FAILURE.at(-1) ?? 0;
        failures += 1;
        await pauseFor(pause, stopping.signal);
        continue;
      } finally {
        waiters.lookAgain();
      }
      if (waiters.size > 0) await pauseFor(pause, stopping.signal);
      else await pauseFor(IDLE, wake.signal);
    }
  }

  async function requireReady(): Promise<void> {
    if (isReady) return;
    throw new StoreUnavailable(refusal?.message ?? 'the read model has not answered yet');
  }

  return {
    async start() {
      running ??= follow();
      await waiters.until(() => isReady || refusal !== undefined, START_PATIENCE);
      if (refusal !== undefined) throw refusal;
    },

    status: () => projections.map(statusOf),
    isCurrent: (projection) => statusOf(projection).isCurrent,

    whenBuilt: (milliseconds) =>
      waiters.until(() => projections.every((one) => statusOf(one).state !== 'building'), milliseconds),

    waitFor: (position, milliseconds) =>
      waiters.until(() => projections.every((one) => hasReached(one, position)), milliseconds),

    async rebuild(projection, actor) {
      const noted = notedOf(projection);
      if (noted?.version === projection.version && noted.state === 'building') return false;
      const requests = await options.requestRebuild(projection.name, actor);
      await waiters.until(() => (note?.rebuildsHandled ?? 0) >= requests, REBUILD_PATIENCE);
      return true;
    },

    writer: () => ({ term: note?.term, release: note?.release, silentFor: silentFor(), error, whatToDo }),
    readModel: gated(readModel, requireReady),

    async stop() {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}

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

function keyOf({ version, generation }: { readonly version: number; readonly generation: number }): string {
  return `${version}/${generation}`;
}
