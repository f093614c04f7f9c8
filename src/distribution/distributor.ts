/**
 * Distributes the tax of all tokens: runs the next step of each due token, several concurrently, so that no token waits for
 * another's million holders. Loads the tokens from the read model once and then follows the log.
 * Reports progress to operators, and logs when a run waits and continues.
 */

import { ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import { type EventStore, type Position, START } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { CollectionNotLive, type ReadModel } from '../kernel/ports/read-model.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { EventUndecodable } from '../kernel/runtime/event-codec.ts';
import { findPages } from '../kernel/runtime/find-pages.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import { retry } from '../kernel/runtime/retry.ts';
import { sleep } from '../kernel/runtime/sleep.ts';
import { runSubscription } from '../kernel/runtime/subscription-runner.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import { distribution } from '../streams/distribution.ts';
import { distributionSwitch } from '../streams/distribution-switch.ts';
import { type DeclaredWait, WAITS, type Wait, type WaitCode, waitFor } from '../streams/distribution-wait.ts';
import { token } from '../streams/token.ts';
import { countReads } from './absences.ts';
import type { EngineParts, StepResult } from './engine-parts.ts';
import { LedgerInvalid } from './ledger/read-range.ts';
import { takeStep } from './run/take-step.ts';
import { REFERENCE_WINDOW } from './selling/price-reference.ts';
import { pauseAfterFailures } from './sending/failures.ts';
import type {
  DistributionOverview,
  DistributionProgress,
  RunOpening,
  RunProgress,
  WitnessState,
} from './services.ts';
import { createTimetable, dueRun, type Scheduled, type Timetable } from './timetable.ts';
import { createTokenMemory } from './token-memory.ts';
import { observeStep } from './waiting/observed-run.ts';

export interface DistributorOptions extends Omit<EngineParts, 'onWitnessVerdict'> {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Number of tokens processed concurrently. */
  readonly concurrentTokens: number;
  readonly logger: Logger;
}

/** Backoff in milliseconds after a step that failed or waits for trouble; doubles each time. */
const BACKOFF = { shortest: 250, longest: 120_000 };
/** Longest pause in milliseconds during which a token retains its scan, whose memory grows with its holders. */
const SCAN_TTL = 10_000;

export function startDistributor(options: DistributorOptions) {
  const { clock, logger, concurrentTokens } = options;
  let witness: WitnessState | undefined;
  const parts: EngineParts = {
    ...options,
    onWitnessVerdict({ state, detail }) {
      const since = witness?.state === state ? witness.since : clock.now().toISOString();
      witness = { state, since, detail };
    },
  };
  const timetable = createTimetable({ retriesAtOnce: Math.max(1, concurrentTokens >> 1) });
  const stopping = new AbortController();
  let wake = new AbortController();
  const busy = new Map<Scheduled, Promise<void>>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const now = clock.now().getTime();
      const { ready, next } = timetable.turn(now, concurrentTokens - busy.size);
      for (const entry of ready) {
        const step = take(parts, entry, logger).finally(() => {
          busy.delete(entry);
          timetable.returned(entry, clock.now().getTime());
          wake.abort();
        });
        busy.set(entry, step);
      }
      await sleep(next - now, wake.signal);
    }
    await Promise.all(busy.values());
  }

  const running = (async () => {
    const after = await openTimetable(options, timetable, stopping.signal);
    if (after === undefined) return;
    const woken = () => wake.abort();
    await Promise.all([run(), follow(options, timetable, after, stopping.signal, woken)]);
  })();
  return {
    progress: progressOf(timetable, options, () => witness),
    /** Resolves when the running steps have ended. */
    async stop() {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}

/** Schedules each token that has a new event. */
function follow(
  { store, executor, clock, logger }: Pick<DistributorOptions, 'store' | 'executor' | 'clock' | 'logger'>,
  timetable: Timetable,
  after: Position,
  signal: AbortSignal,
  woken: () => void,
): Promise<unknown> {
  return runSubscription({
    store,
    after,
    categories: [token.category, distribution.category, distributionSwitch.category],
    signal,
    async handle(events) {
      const now = clock.now().getTime();
      // Update the cached streams before a step reads them.
      executor.learn(events);
      for (const { type, data } of events) {
        if (typeof data.tokenId === 'string') timetable.schedule(data.tokenId, now);
        else if (type === 'TokenCreated') timetable.schedule(tokenIdOf(data), now);
        else
          for (const entry of timetable.all())
            if (entry.progress !== undefined) timetable.schedule(entry.tokenId, now);
      }
      woken();
    },
    failed: (error, final) =>
      logger.warn({ error: errorMessage(error), final }, 'the log cannot be followed'),
  });
}

/** Runs a step of the token, and schedules the next one. */
async function take(parts: EngineParts, entry: Scheduled, logger: Logger): Promise<void> {
  const now = () => parts.clock.now().getTime();
  entry.isChanged = false;
  entry.memory ??= createTokenMemory();
  const { absences } = entry.memory;
  const readsBefore = countReads(absences);
  const taken = await takeStep(parts, entry.tokenId, entry.memory).catch(
    (failure: unknown): StepResult => ({ step: entry.progress?.step ?? 'consider', pause: 0, failure }),
  );
  const { step, failure } = taken;
  const waitingFor = failure === undefined ? taken.waitingFor : waitOfError(failure);
  const before = entry.seen;
  const seen = observeStep(before, { step, movedAt: taken.movedAt, waitingFor, now: parts.clock.now() });
  for (const { message, details } of seen.lines) logger.warn({ tokenId: entry.tokenId, ...details }, message);
  entry.seen = seen;
  entry.progress = step === 'idle' ? undefined : seen.progress;
  // An interrupted scan restarts: pages of two scans are inconsistent with each other.
  if (failure !== undefined) entry.memory.scan = undefined;
  // Responses that need confirmation are requested again without backoff: with it, twenty confirmations would take too
  // long.
  const isConfirming = countReads(absences) > readsBefore;
  entry.hasFailed = failure !== undefined || (isTrouble(step, waitingFor) && !isConfirming);
  const hasMoved = before?.progress.step !== step || before.movedAt !== seen.movedAt;
  // A step without a pause, such as a scan's next page, does not reset the count of failures, because the last page
  // may fail again.
  if (hasMoved || (!entry.hasFailed && taken.pause > 0)) entry.failures = 0;
  let { pause } = taken;
  if (entry.hasFailed) {
    pause = Math.max(pause, pauseAfterFailures(entry.failures, BACKOFF));
    entry.failures += 1;
    if (pause > SCAN_TTL) entry.memory.scan = undefined;
  }
  entry.wakeAt = entry.isChanged && pause > 0 ? Math.min(entry.wakeAt, now() + pause) : now() + pause;
  // Only a token that waits for its due time can become overdue.
  entry.due = step === 'idle' && waitingFor === undefined ? entry.wakeAt : undefined;
  // An idle token needs only the result of its last check.
  if (step === 'idle' && entry.memory.scan === undefined) {
    const { opening } = entry.memory;
    entry.memory = { ...createTokenMemory(), opening };
  }
}

/** True if the step waits for trouble or a fault; idle and halted tokens are checked at their usual pace. */
function isTrouble(step: StepResult['step'], waitingFor: Wait | undefined): boolean {
  if (waitingFor === undefined || step === 'idle' || step === 'halted') return false;
  const { kind }: DeclaredWait = WAITS[waitingFor.code];
  return kind !== 'usual';
}

function tokenIdOf(data: { readonly [name: string]: unknown }): string {
  const { token: created } = data;
  return String((created as { readonly tokenId?: unknown } | undefined)?.tokenId);
}

const DOCUMENTS_PER_READ = 500;
const PAUSES_AFTER_FAILURE = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000];

type Grid = Pick<EngineParts, 'clock' | 'keyring'>;

/** Waits until the read model is live and reachable. Undefined if stopped before. */
export async function openTimetable(
  options: Grid & Pick<DistributorOptions, 'readModel' | 'logger'>,
  timetable: Timetable,
  signal: AbortSignal,
): Promise<Position | undefined> {
  if (signal.aborted) return undefined;
  const filled = retry(() => fillTimetable(options, timetable), {
    pauses: PAUSES_AFTER_FAILURE,
    signal,
    failed(error, earlier) {
      if (earlier > 0) return;
      const level = error instanceof CollectionNotLive ? 'info' : 'warn';
      options.logger[level]({ error: errorMessage(error) }, 'distribution waits for its read model');
    },
  });
  // Rejects only when the signal is aborted; all other failures are retried.
  return filled.catch(() => undefined);
}

/**
 * Schedules every token by its document. Resolves with the position that the documents reflect: a subscription from the head
 * would miss events that the projection has not read yet.
 */
async function fillTimetable(
  { readModel, ...grid }: Grid & { readonly readModel: ReadModel },
  timetable: Timetable,
): Promise<Position> {
  const after = (await readModel.served(distributions))?.checkpoint ?? START;
  const pages = { limit: DOCUMENTS_PER_READ, keyOf: ({ tokenId }: DistributionDocument) => tokenId };
  for await (const page of findPages(readModel, distributions, 'all', '', pages))
    for (const document of page) {
      const entry = timetable.schedule(document.tokenId, wakeOf(document, grid));
      const due = dueOf(document, grid);
      // Runs that fell due while no process distributed count as late only from now.
      entry.due = due === undefined ? undefined : Math.max(due, grid.clock.now().getTime());
    }
  return after;
}

/** Time of a token's first check after startup, in milliseconds. */
function wakeOf(document: DistributionDocument, grid: Grid): number {
  const now = grid.clock.now().getTime();
  if (document.openRunId !== null || document.requested) return now;
  // The price of its pool is sampled during this window before the run.
  return (dueOf(document, grid) ?? Number.MAX_SAFE_INTEGER) - REFERENCE_WINDOW;
}

/** Time in milliseconds from which the next run may be opened; undefined if no run is scheduled. */
function dueOf(
  { tokenId, createdAt, interval, lastDueAt, enabled, hidden, state }: DistributionDocument,
  { clock, keyring }: Grid,
): number | undefined {
  if (!enabled || hidden || state === 'halted') return undefined;
  const grid = { tokenId, createdAt, interval, lastDueAt: lastDueAt ?? undefined };
  return dueRun(grid, clock.now().getTime(), keyring.scanMoment).opensAt;
}

const MAX_OPENING = 100;

/** Status of the engine for operators, from memory. */
export function progressOf(
  timetable: Timetable,
  { clock, suitability }: Pick<EngineParts, 'clock' | 'suitability'>,
  witness: () => WitnessState | undefined,
): DistributionProgress {
  function progressOfEntry(entry: Scheduled): RunProgress | undefined {
    const { isBusy, failures, wakeAt, progress } = entry;
    const nextAt = isBusy ? undefined : new Date(wakeAt).toISOString();
    return progress && { ...progress, retries: { failed: failures, nextAt } };
  }
  return {
    of(tokenId) {
      const entry = timetable.get(tokenId);
      return entry && progressOfEntry(entry);
    },
    opening() {
      const opening: RunOpening[] = [];
      for (const entry of timetable.all()) {
        const progress = progressOfEntry(entry);
        if (progress?.step !== 'consider') continue;
        opening.push({ tokenId: entry.tokenId, since: progress.since, waitingFor: progress.waitingFor });
      }
      return opening.sort((one, other) => (one.since < other.since ? -1 : 1)).slice(0, MAX_OPENING);
    },
    overview: () => ({
      oldestDue: oldestDue(timetable, clock.now().getTime()),
      unsettled: unsettled(timetable),
      chainUnsuitable: suitability.unsuitable(),
      witness: witness(),
    }),
  };
}

function oldestDue(timetable: Timetable, now: number): DistributionOverview['oldestDue'] {
  let oldest: { readonly tokenId: string; readonly due: number } | undefined;
  for (const { tokenId, due, wakeAt } of timetable.all())
    if (due !== undefined && due <= now && wakeAt <= now && due < (oldest?.due ?? Number.POSITIVE_INFINITY))
      oldest = { tokenId, due };
  return oldest && { tokenId: oldest.tokenId, dueAt: new Date(oldest.due).toISOString() };
}

function unsettled(timetable: Timetable): DistributionOverview['unsettled'] {
  let batches = 0;
  let since: string | undefined;
  for (const { memory, progress } of timetable.all()) {
    const underWay = memory?.paying?.signed.size ?? 0;
    batches += underWay;
    if (underWay > 0 && progress !== undefined && (since === undefined || progress.since < since))
      since = progress.since;
  }
  return { batches, since };
}

type Errors = abstract new (...given: never[]) => Error;

/** The first matching class counts. The executor rejects with codes, so `StoreUnavailable` concerns the ledger store. */
const BY_CLASS: readonly (readonly [Errors, WaitCode])[] = [
  [ChainUnavailable, 'chain-unavailable'],
  [ChainAnswerInvalid, 'chain-unavailable'],
  [LedgerInvalid, 'record-unreadable'],
  [EventUndecodable, 'record-unreadable'],
  [CollectionNotLive, 'store-unavailable'],
  [StoreUnavailable, 'store-unavailable'],
];

const BY_REJECTION: { readonly [code: string]: WaitCode } = {
  STORE_UNAVAILABLE: 'store-unavailable',
  CONCURRENT_CHANGE: 'store-unavailable',
};

/** Maps an error of a step to a wait; expected errors have their own codes. Pure. */
export function waitOfError(error: unknown): Wait {
  return waitFor(codeOf(error), undefined, errorMessage(error));
}

function codeOf(error: unknown): WaitCode {
  const found = BY_CLASS.find(([kind]) => error instanceof kind);
  if (found !== undefined) return found[1];
  if (error instanceof Rejection) return BY_REJECTION[error.code] ?? 'unexpected-error';
  return isOfFiles(error) ? 'store-unavailable' : 'unexpected-error';
}

/** Ledgers are the only files that a step reads and writes. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
