/**
 * Distributes the tax of all tokens: takes a step of each due token, several concurrently, so that none waits for another's
 * million holders. Reads its work from the read model once and then follows the log.
 * Also reports to operators: progress, and a line in the log for each cause of a wait.
 */

import { ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import { type EventStore, type Position, START } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { CollectionNotLive, type ReadModel } from '../kernel/ports/read-model.ts';
import { EventUndecodable } from '../kernel/runtime/event-codec.ts';
import { findPages } from '../kernel/runtime/find-pages.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import { retry } from '../kernel/runtime/retry.ts';
import { sleep } from '../kernel/runtime/sleep.ts';
import { runSubscription } from '../kernel/runtime/subscription-runner.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import { distribution } from '../streams/distribution.ts';
import { distributionSwitch } from '../streams/distribution-switch.ts';
import { type DeclaredWait, WAITS, type Wait, type WaitCode, waitFor } from '../streams/distribution-wait.ts';
import { token } from '../streams/token.ts';
import { looksIn } from './absences.ts';
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
import { hangingStep, seenAfter } from './waiting/seen.ts';

export interface DistributorOptions extends Omit<EngineParts, 'witnessSaid'> {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Number of tokens processed concurrently. */
  readonly tokensAtOnce: number;
  readonly logger: Logger;
}

/** Milliseconds before a step is taken again that failed or met trouble, twice as long each time. */
const BACKOFF = { shortest: 250, longest: 120_000 };
/** Milliseconds after which a waiting token drops its scan, whose memory grows with its holders. */
const SCAN_KEPT = 10_000;

export function startDistributor(options: DistributorOptions) {
  const { clock, logger, tokensAtOnce } = options;
  let witness: WitnessState | undefined;
  const parts: EngineParts = {
    ...options,
    witnessSaid({ state, detail }) {
      const since = witness?.state === state ? witness.since : clock.now().toISOString();
      witness = { state, since, detail };
    },
  };
  const timetable = createTimetable({ retriesAtOnce: Math.max(1, tokensAtOnce >> 1) });
  const waitsLog = createWaitsLog(logger);
  const stopping = new AbortController();
  let wake = new AbortController();
  const busy = new Map<Scheduled, Promise<void>>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const now = clock.now().getTime();
      const { ready, next } = timetable.turn(now, tokensAtOnce - busy.size);
      for (const entry of busy.keys()) reportHanging(entry, clock.now(), waitsLog);
      waitsLog.flush(now);
      for (const entry of ready) {
        const step = take(parts, entry, waitsLog).finally(() => {
          busy.delete(entry);
          timetable.returned(entry, clock.now().getTime());
          wake.abort();
        });
        busy.set(entry, step);
      }
      await sleep(next - now, wake.signal);
    }
    await Promise.all(busy.values());
    waitsLog.end();
  }

  const running = (async () => {
    const after = await timetableFilled(options, timetable, stopping.signal);
    if (after === undefined) return;
    const woken = () => wake.abort();
    await Promise.all([run(), follow(options, timetable, after, stopping.signal, woken)]);
  })();
  return {
    progress: progressOf(timetable, options, () => witness),
    /** Resolves when the steps under way have ended. */
    async stop() {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}

/** Wakes each token of which something is recorded. */
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
      // Before a step is taken because of them.
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
    failed: (error, final) => logger.warn({ error: messageOf(error), final }, 'the log cannot be followed'),
  });
}

/** Takes a step of the token, and records when the next one is due. */
async function take(parts: EngineParts, entry: Scheduled, waitsLog: WaitsLog): Promise<void> {
  const now = () => parts.clock.now().getTime();
  entry.busySince = now();
  entry.isHangingReported = false;
  entry.isChanged = false;
  entry.memory ??= createTokenMemory();
  const { absences } = entry.memory;
  const looksBefore = looksIn(absences);
  const taken = await takeStep(parts, entry.tokenId, entry.memory).catch(
    (failure: unknown): StepResult => ({ step: entry.progress?.step ?? 'consider', pause: 0, failure }),
  );
  const { step, failure } = taken;
  const waitingFor = failure === undefined ? taken.waitingFor : waitOfError(failure);
  const before = entry.seen;
  const seen = seenAfter(before, { step, movedAt: taken.movedAt, waitingFor, now: parts.clock.now() });
  for (const { message, details } of seen.lines)
    waitsLog.warn(message, { tokenId: entry.tokenId, ...details }, now());
  entry.seen = seen;
  entry.progress = step === 'idle' ? undefined : seen.progress;
  // A scan that broke off begins again: pages of two scans do not fit together.
  if (failure !== undefined) entry.memory.scan = undefined;
  // An answer that has to be repeated before it counts is repeated at its own pace: twenty pauses of minutes would decide nothing.
  const isConfirming = looksIn(absences) > looksBefore;
  entry.hasFailed = failure !== undefined || (isInTrouble(step, waitingFor) && !isConfirming);
  const hasMoved = before?.progress.step !== step || before.movedAt !== seen.movedAt;
  // The next page of a scan is no sign that its last one will be shown this time.
  if (hasMoved || (!entry.hasFailed && taken.pause > 0)) entry.failures = 0;
  let { pause } = taken;
  if (entry.hasFailed) {
    pause = Math.max(pause, pauseAfterFailures(entry.failures, BACKOFF));
    entry.failures += 1;
    if (pause > SCAN_KEPT) entry.memory.scan = undefined;
  }
  entry.wakeAt = entry.isChanged && pause > 0 ? Math.min(entry.wakeAt, now() + pause) : now() + pause;
  // A token that waits for something other than its due time is not late.
  entry.due = step === 'idle' && waitingFor === undefined ? entry.wakeAt : undefined;
  // An idle token needs only the result of its last check.
  if (step === 'idle' && entry.memory.scan === undefined) {
    const { opening } = entry.memory;
    entry.memory = { ...createTokenMemory(), opening };
  }
}

/** Applies to open runs; the reasons for opening none are checked at the token's own pace. */
function isInTrouble(step: StepResult['step'], waitingFor: Wait | undefined): boolean {
  if (waitingFor === undefined || step === 'idle' || step === 'halted') return false;
  const { kind }: DeclaredWait = WAITS[waitingFor.code];
  return kind !== 'usual';
}

/** Once a step: it reports nothing itself. */
function reportHanging(entry: Scheduled, now: Date, waitsLog: WaitsLog): void {
  const hanging = entry.isHangingReported ? undefined : hangingStep(entry, now);
  if (hanging === undefined) return;
  entry.isHangingReported = true;
  const { step, since, waitingFor } = hanging;
  waitsLog.warn('distribution waits', { tokenId: entry.tokenId, step, since, ...waitingFor }, now.getTime());
}

function tokenIdOf(data: { readonly [name: string]: unknown }): string {
  const { token: created } = data;
  return String((created as { readonly tokenId?: unknown } | undefined)?.tokenId);
}

const DOCUMENTS_PER_READ = 500;
const PAUSES_AFTER_FAILURE = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000];

type Grid = Pick<EngineParts, 'clock' | 'keyring'>;

/** A read model that is being built, or away, is waited for. Undefined if stopped before. */
export async function timetableFilled(
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
      options.logger[level]({ error: messageOf(error) }, 'distribution waits for its read model');
    },
  });
  // Nothing but the signal ends the trying.
  return filled.catch(() => undefined);
}

/** Resolves with where the documents stop: behind a projection that lags, the head would hide runs that are open or asked for. */
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
      // Runs that fell due while nobody distributed are late only from now on.
      entry.due = due === undefined ? undefined : Math.max(due, grid.clock.now().getTime());
    }
  return after;
}

/** When a token is checked first after the start. */
function wakeOf(document: DistributionDocument, grid: Grid): number {
  const now = grid.clock.now().getTime();
  if (document.openRunId !== null || document.requested) return now;
  // From then on the price of its pool is watched.
  return (dueOf(document, grid) ?? Number.MAX_SAFE_INTEGER) - REFERENCE_WINDOW;
}

/** When its next run may be opened; undefined while none will be. */
function dueOf(
  { tokenId, createdAt, interval, lastDueAt, enabled, hidden, state }: DistributionDocument,
  { clock, keyring }: Grid,
): number | undefined {
  if (!enabled || hidden || state === 'halted') return undefined;
  const grid = { tokenId, createdAt, interval, lastDueAt: lastDueAt ?? undefined };
  return dueRun(grid, clock.now().getTime(), keyring.scanMoment).opensAt;
}

const MOST_OPENING = 100;

/** The engine's status for operators, from its memory. */
export function progressOf(
  timetable: Timetable,
  { clock, suitability }: Pick<EngineParts, 'clock' | 'suitability'>,
  witness: () => WitnessState | undefined,
): DistributionProgress {
  function progressOfEntry(entry: Scheduled): RunProgress | undefined {
    const { isBusy, failures, wakeAt } = entry;
    const progress = (isBusy ? hangingStep(entry, clock.now()) : undefined) ?? entry.progress;
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
      return opening.sort((one, other) => (one.since < other.since ? -1 : 1)).slice(0, MOST_OPENING);
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

type WaitsLog = ReturnType<typeof createWaitsLog>;

type WaitDetails = { readonly tokenId: string; readonly code?: string } & Readonly<Record<string, unknown>>;

/** Milliseconds. */
const INTERVAL = 60_000;

interface Cause {
  readonly message: string;
  readonly loggedAt: number;
  /** Lines that were held back since, and the latest of them. */
  readonly count: number;
  readonly latest: WaitDetails | undefined;
}

/** Logs waits of runs, one line a minute for each cause: thousands of tokens may meet the same trouble at once. */
export function createWaitsLog(logger: Pick<Logger, 'warn'>) {
  /** There are as many as there are codes. */
  const causes = new Map<string, Cause>();

  function log(message: string, latest: WaitDetails, count: number): void {
    logger.warn(count === 1 ? latest : { ...latest, count }, message);
  }

  return {
    /** Lines of one message and code have one cause. `now` in milliseconds. */
    warn(message: string, details: WaitDetails, now: number) {
      const name = `${message} ${details.code}`;
      const cause = causes.get(name);
      if (cause !== undefined) {
        causes.set(name, { ...cause, count: cause.count + 1, latest: details });
        return;
      }
      causes.set(name, { message, loggedAt: now, count: 0, latest: undefined });
      log(message, details, 1);
    },
    /** Logs what was held back, once its minute is over. */
    flush(now: number) {
      for (const [name, { message, loggedAt, count, latest }] of causes) {
        // A clock may be set back.
        if (now >= loggedAt && now < loggedAt + INTERVAL) continue;
        if (latest === undefined) causes.delete(name);
        else {
          log(message, latest, count);
          causes.set(name, { message, loggedAt: now, count: 0, latest: undefined });
        }
      }
    },
    /** Logs everything that was held back. */
    end() {
      for (const { message, count, latest } of causes.values())
        if (latest !== undefined) log(message, latest, count);
      causes.clear();
    },
  };
}

type Errors = abstract new (...given: never[]) => Error;

/** The first that fits counts. Events are read and recorded by the executor, so that a store that is away is that of ledgers. */
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

/** Maps errors of a step to wait codes; expected errors have their own codes. Pure. */
export function waitOfError(error: unknown): Wait {
  return waitFor(codeOf(error), undefined, messageOf(error));
}

function codeOf(error: unknown): WaitCode {
  const found = BY_CLASS.find(([kind]) => error instanceof kind);
  if (found !== undefined) return found[1];
  if (error instanceof Rejection) return BY_REJECTION[error.code] ?? 'unexpected-error';
  return isOfFiles(error) ? 'store-unavailable' : 'unexpected-error';
}

/** The only files that a step reads and writes are those of ledgers. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
