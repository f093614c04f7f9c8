/**
 * Distributes the tax of all tokens: takes a step of each token whose time has come, several side by side, so that none
 * waits for another's million holders. Finds its work in the read model once, and then follows the log.
 */

import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { sleep } from '../kernel/runtime/sleep.ts';
import { runSubscription } from '../kernel/runtime/subscription-runner.ts';
import { distribution } from '../streams/distribution.ts';
import { distributionSwitch } from '../streams/distribution-switch.ts';
import { type DeclaredWait, WAITS, type Wait } from '../streams/distribution-wait.ts';
import { token } from '../streams/token.ts';
import { looksIn } from './absences.ts';
import { timetableFilled } from './due-tokens.ts';
import type { EngineParts, StepResult } from './engine-parts.ts';
import { progressOf } from './progress.ts';
import { takeStep } from './run/take-step.ts';
import { pauseAfterFailures } from './sending/failures.ts';
import type { DistributionProgress, WitnessState } from './services.ts';
import { createTimetable, type Scheduled, type Timetable } from './timetable.ts';
import { createTokenMemory } from './token-memory.ts';
import { hangingStep, seenAfter, type TakenStep } from './waiting/seen.ts';
import { waitOfError } from './waiting/wait-of-error.ts';
import { createWaitsLog, type WaitsLog } from './waiting/waits-log.ts';

export interface DistributorOptions extends Omit<EngineParts, 'witnessSaid'> {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** How many tokens advance side by side. */
  readonly tokensAtOnce: number;
  readonly logger: Logger;
}

export interface Distributor {
  readonly progress: DistributionProgress;
  /** Resolves when the steps under way have ended. */
  stop(): Promise<void>;
}

/** Milliseconds before a step is taken again that failed or met trouble, twice as long each time. */
const BACKOFF = { shortest: 250, longest: 120_000 };
/** Milliseconds: a token that waits longer gives up its scan, whose memory grows with its holders. */
const SCAN_KEPT = 10_000;

export function startDistributor(options: DistributorOptions): Distributor {
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
      for (const entry of busy.keys()) tellOfHanging(entry, clock.now(), waitsLog);
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
    await Promise.all([run(), follow(options, timetable, { after, signal: stopping.signal, woken })]);
  })();
  return {
    progress: progressOf(timetable, options, () => witness),
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
  {
    after,
    signal,
    woken,
  }: { readonly after: Position; readonly signal: AbortSignal; readonly woken: () => void },
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
  entry.isHangingTold = false;
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
  tell(parts, entry, { ...taken, waitingFor }, waitsLog);
  // A scan that broke off begins again: pages of two scans do not fit together.
  if (failure !== undefined) entry.memory.scan = undefined;
  // An answer that has to be repeated before it counts is repeated at its own pace: twenty pauses of minutes would decide nothing.
  const isConfirming = looksIn(absences) > looksBefore;
  entry.hasFailed = failure !== undefined || (isInTrouble(step, waitingFor) && !isConfirming);
  const hasMoved = before?.progress.step !== step || before.movedAt !== entry.seen?.movedAt;
  // The next page of a scan is no sign that its last one will be shown this time.
  if (hasMoved || (!entry.hasFailed && taken.pause > 0)) entry.failures = 0;
  let { pause } = taken;
  if (entry.hasFailed) {
    pause = Math.max(pause, pauseAfterFailures(entry.failures, BACKOFF));
    entry.failures += 1;
    if (pause > SCAN_KEPT) entry.memory.scan = undefined;
  }
  entry.wakeAt = entry.isChanged && pause > 0 ? Math.min(entry.wakeAt, now() + pause) : now() + pause;
  // What waits for something else than its time is no run that is late.
  entry.due = step === 'idle' && waitingFor === undefined ? entry.wakeAt : undefined;
  // What is not under way needs no memory but what was seen last.
  if (step === 'idle' && entry.memory.scan === undefined) {
    const { opening } = entry.memory;
    entry.memory = { ...createTokenMemory(), opening };
  }
}

/** Of a run under way; why none is opened is checked at the token's own pace. */
function isInTrouble(step: StepResult['step'], waitingFor: Wait | undefined): boolean {
  if (waitingFor === undefined || step === 'idle' || step === 'halted') return false;
  const { kind }: DeclaredWait = WAITS[waitingFor.code];
  return kind !== 'usual';
}

function tell(
  { clock }: Pick<EngineParts, 'clock'>,
  entry: Scheduled,
  { step, waitingFor, movedAt }: Omit<StepResult, 'pause' | 'waitingFor'> & Pick<TakenStep, 'waitingFor'>,
  waitsLog: WaitsLog,
): void {
  const now = clock.now();
  const seen = seenAfter(entry.seen, { step, movedAt, waitingFor, now });
  for (const { message, details } of seen.lines)
    waitsLog.warn(message, { tokenId: entry.tokenId, ...details }, now.getTime());
  entry.seen = seen;
  entry.progress = step === 'idle' ? undefined : seen.progress;
}

/** Once a step: it reports nothing itself. */
function tellOfHanging(entry: Scheduled, now: Date, waitsLog: WaitsLog): void {
  const hanging = entry.isHangingTold ? undefined : hangingStep(entry, now);
  if (hanging === undefined) return;
  entry.isHangingTold = true;
  const { step, since, waitingFor } = hanging;
  waitsLog.warn('distribution waits', { tokenId: entry.tokenId, step, since, ...waitingFor }, now.getTime());
}

function tokenIdOf(data: { readonly [name: string]: unknown }): string {
  const { token: created } = data;
  return String((created as { readonly tokenId?: unknown } | undefined)?.tokenId);
}
