/**
 * Distributes the tax of all tokens: takes a step of each token whose time has come, several side by side, so that none
 * waits for another's million holders. Finds its work in the read model once, and then follows the log.
 */

import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { pauseFor } from '../kernel/runtime/pause-for.ts';
import { runSubscription } from '../kernel/runtime/subscription-runner.ts';
import { distribution } from '../streams/distribution.ts';
import { distributionSwitch } from '../streams/distribution-switch.ts';
import { token } from '../streams/token.ts';
import { timetableFilled } from './due-tokens.ts';
import type { EngineParts, StepResult } from './engine-parts.ts';
import { progressOf } from './progress.ts';
import { takeStep } from './run/take-step.ts';
import type { DistributionProgress, WitnessState } from './services.ts';
import { createTimetable, type Scheduled, type Timetable } from './timetable.ts';
import { createTokenMemory } from './token-memory.ts';
import { hangingStep, seenAfter } from './waiting/seen.ts';
import { waitOfError } from './waiting/wait-of-error.ts';

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

const SHORTEST_BACKOFF = 250;
const LONGEST_BACKOFF = 10_000;

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
  const timetable = createTimetable();
  const stopping = new AbortController();
  let wake = new AbortController();
  const busy = new Set<Promise<void>>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const now = clock.now().getTime();
      const { ready, next, isOfAll } = timetable.turn(now, tokensAtOnce - busy.size);
      if (isOfAll) for (const entry of timetable.all()) tellOfHanging(entry, clock.now(), logger);
      for (const entry of ready) {
        const step = take(parts, entry, logger).finally(() => {
          busy.delete(step);
          wake.abort();
        });
        busy.add(step);
      }
      await pauseFor(next - now, wake.signal);
    }
    await Promise.all(busy);
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

/** Takes a step of the token, and notes when the next one is due. */
async function take(parts: EngineParts, entry: Scheduled, logger: Logger): Promise<void> {
  const now = () => parts.clock.now().getTime();
  entry.isBusy = true;
  entry.busySince = now();
  entry.isHangingTold = false;
  entry.isChanged = false;
  entry.memory ??= createTokenMemory();
  try {
    const taken = await takeStep(parts, entry.tokenId, entry.memory);
    if ('failure' in taken) {
      failed(parts, entry, { ...taken, waitingFor: waitOfError(taken.failure) }, logger);
      return;
    }
    const { pause, step, waitingFor } = taken;
    entry.failures = 0;
    tell(parts, entry, taken, logger);
    entry.wakeAt = entry.isChanged && pause > 0 ? Math.min(entry.wakeAt, now() + pause) : now() + pause;
    // What waits for something else than its time is no run that is late.
    entry.due = step === 'idle' && waitingFor === undefined ? entry.wakeAt : undefined;
    // What is not under way needs no memory but what was seen last.
    if (step === 'idle' && entry.memory.scan === undefined) {
      const { opening, emptying } = entry.memory;
      entry.memory = { ...createTokenMemory(), opening, emptying };
    }
  } catch (error) {
    const step = entry.progress?.step ?? 'consider';
    failed(parts, entry, { step, waitingFor: waitOfError(error) }, logger);
  } finally {
    entry.isBusy = false;
  }
}

function failed(
  parts: Pick<EngineParts, 'clock'>,
  entry: Scheduled,
  at: Omit<StepResult, 'pause'>,
  logger: Logger,
): void {
  entry.failures += 1;
  // A scan that broke off begins again: pages of two scans do not fit together.
  if (entry.memory !== undefined) entry.memory.scan = undefined;
  tell(parts, entry, at, logger);
  const backoff = Math.min(SHORTEST_BACKOFF * 2 ** (entry.failures - 1), LONGEST_BACKOFF);
  entry.wakeAt = parts.clock.now().getTime() + backoff;
}

function tell(
  { clock }: Pick<EngineParts, 'clock'>,
  entry: Scheduled,
  { step, waitingFor, movedAt }: Omit<StepResult, 'pause'>,
  logger: Logger,
): void {
  const seen = seenAfter(entry.seen, { step, movedAt, waitingFor, now: clock.now() });
  for (const { message, details } of seen.lines) logger.warn({ tokenId: entry.tokenId, ...details }, message);
  entry.seen = seen;
  entry.progress = step === 'idle' ? undefined : seen.progress;
}

/** Once a step: it reports nothing itself. */
function tellOfHanging(entry: Scheduled, now: Date, logger: Logger): void {
  const hanging = entry.isBusy && !entry.isHangingTold ? hangingStep(entry, now) : undefined;
  if (hanging === undefined) return;
  entry.isHangingTold = true;
  const { step, since, waitingFor } = hanging;
  logger.warn({ tokenId: entry.tokenId, step, since, ...waitingFor }, 'distribution waits');
}

function tokenIdOf(data: { readonly [name: string]: unknown }): string {
  const { token: created } = data;
  return String((created as { readonly tokenId?: unknown } | undefined)?.tokenId);
}
