/**
 * Distributes the tax of all tokens: takes a step of each token whose time has come, several side by side, so that none
 * waits for another's million holders. Finds its work in the read model once, and then follows the log.
 */
import { type EventStore, type Position, START } from '../ports/event-store.ts';
import { CollectionNotLive, type ReadModel } from '../ports/read-model.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import { pauseFor } from '../runtime/pause-for.ts';
import { runSubscription } from '../runtime/subscription-runner.ts';
import { distribution } from '../streams/distribution.ts';
import { distributionSwitch } from '../streams/distribution-switch.ts';
import { token } from '../streams/token.ts';
import type { EngineParts, StepResult } from './engine-parts.ts';
import { takeStep } from './run/take-step.ts';
import { REFERENCE_WINDOW } from './selling/price-reference.ts';
import type { DistributionProgress, RunProgress, WitnessState } from './services.ts';
import { dueRun } from './timing.ts';
import { createTokenMemory, type TokenMemory } from './token-memory.ts';
import { hangingStep, type Seen, seenAfter } from './waiting/seen.ts';
import { waitOfError } from './waiting/wait-of-error.ts';

export interface DistributorOptions extends Omit<EngineParts, 'witnessSaid'> {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** How many tokens advance side by side. */
  readonly tokensAtOnce: number;
  readonly report: (message: string, details: object) => void;
}

export interface Distributor {
  readonly progress: DistributionProgress;
  /** Resolves when the steps under way have ended. */
  stop(): Promise<void>;
}

interface Scheduled {
  readonly tokenId: string;
  /** Milliseconds. */
  wakeAt: number;
  isBusy: boolean;
  /** Something was recorded while a step was under way. */
  isChanged: boolean;
  failures: number;
  memory: TokenMemory | undefined;
  progress: RunProgress | undefined;
  seen: Seen | undefined;
  /** When the step under way began; milliseconds. */
  busySince: number;
  /** The log says that the step under way does not end. */
  isHangingTold: boolean;
  /** When its next run is due, as far as the read model said. */
  due: number | undefined;
}

const SHORTEST_BACKOFF = 250;
const LONGEST_BACKOFF = 10_000;
const DOCUMENTS_PER_READ = 500;
/** Milliseconds: the longest that nobody looks at the timetable. */
const LONGEST_SLEEP = 1_000;

export function startDistributor(options: DistributorOptions): Distributor {
  const { clock, store, readModel, report } = options;
  let witness: WitnessState | undefined;
  const parts: EngineParts = {
    ...options,
    witnessSaid({ state, detail }) {
      const since = witness?.state === state ? witness.since : clock.now().toISOString();
      witness = { state, since, detail };
    },
  };
  const timetable = new Map<string, Scheduled>();
  /** Those whose time comes before everybody is looked at again: most tokens sleep most of the time. */
  const soon = new Set<Scheduled>();
  let allLookedAt = 0;
  const stopping = new AbortController();
  let wake = new AbortController();
  const busy = new Set<Promise<void>>();

  function schedule(tokenId: string, wakeAt: number): Scheduled {
    const found = timetable.get(tokenId) ?? {
      tokenId,
      wakeAt,
      isBusy: false,
      isChanged: false,
      failures: 0,
      memory: undefined,
      progress: undefined,
      seen: undefined,
      busySince: 0,
      isHangingTold: false,
      due: undefined,
    };
    found.wakeAt = Math.min(found.wakeAt, wakeAt);
    found.isChanged = true;
    timetable.set(tokenId, found);
    soon.add(found);
    return found;
  }

  function kick(): void {
    wake.abort();
  }

  /** Resolves with where the documents stop: behind a projection that lags, the head would hide runs that are open or asked for. */
  async function fillTimetable(): Promise<Position> {
    const after = (await readModel.checkpoint(distributions, await readModel.served(distributions))) ?? START;
    for await (const document of allDocuments(readModel)) {
      const entry = schedule(document.tokenId, wakeOf(document, options));
      const due = dueOf(document, options);
      // Runs that fell due while nobody distributed are late only from now on.
      entry.due = due === undefined ? undefined : Math.max(due, clock.now().getTime());
    }
    return after;
  }

  /** A read model that is being built, or away, is waited for. Undefined if stopped before. */
  async function timetableFilled(): Promise<Position | undefined> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      try {
        return await fillTimetable();
      } catch (error) {
        const isUsual = error instanceof CollectionNotLive;
        if (failures === 0)
          report('distribution waits for its read model', { error: messageOf(error), isUsual });
        await pauseFor(Math.min(SHORTEST_BACKOFF * 2 ** failures, LONGEST_BACKOFF), stopping.signal);
      }
    }
    return undefined;
  }

  const follow = (after: Position) =>
    runSubscription({
      store,
      after,
      categories: [token.category, distribution.category, distributionSwitch.category],
      signal: stopping.signal,
      async handle(events) {
        const now = clock.now().getTime();
        for (const { type, data } of events) {
          if (typeof data.tokenId === 'string') schedule(data.tokenId, now);
          else if (type === 'TokenCreated') schedule(tokenIdOf(data), now);
          else
            for (const entry of timetable.values())
              if (entry.progress !== undefined) schedule(entry.tokenId, now);
        }
        kick();
      },
      failed: (error, final) => report('the log cannot be followed', { error: messageOf(error), final }),
    });

  async function take(entry: Scheduled): Promise<void> {
    entry.isBusy = true;
    entry.busySince = clock.now().getTime();
    entry.isHangingTold = false;
    entry.isChanged = false;
    entry.memory ??= createTokenMemory();
    const now = () => clock.now().getTime();
    try {
      const taken = await takeStep(parts, entry.tokenId, entry.memory);
      if ('failure' in taken) {
        failed(entry, taken, taken.failure);
        return;
      }
      const { pause, step, waitingFor } = taken;
      entry.failures = 0;
      tell(entry, taken);
      entry.wakeAt = entry.isChanged && pause > 0 ? Math.min(entry.wakeAt, now() + pause) : now() + pause;
      // What waits for something else than its time is no run that is late.
      entry.due = step === 'idle' && waitingFor === undefined ? entry.wakeAt : undefined;
      // What is not under way needs no memory but what was seen last.
      if (step === 'idle' && entry.memory.scan === undefined)
        entry.memory = {
          ...createTokenMemory(),
          opening: entry.memory.opening,
          emptying: entry.memory.emptying,
        };
    } catch (error) {
      failed(entry, entry.progress ?? { step: 'consider' }, error);
    } finally {
      entry.isBusy = false;
      kick();
    }
  }

  function failed(entry: Scheduled, at: Omit<StepResult, 'pause'>, error: unknown): void {
    entry.failures += 1;
    // A scan that broke off begins again: pages of two scans do not fit together.
    if (entry.memory !== undefined) entry.memory.scan = undefined;
    tell(entry, { ...at, waitingFor: waitOfError(error) });
    const backoff = Math.min(SHORTEST_BACKOFF * 2 ** (entry.failures - 1), LONGEST_BACKOFF);
    entry.wakeAt = clock.now().getTime() + backoff;
  }

  function tell(entry: Scheduled, taken: Omit<StepResult, 'pause'>): void {
    const { step, waitingFor, movedAt } = taken;
    const seen = seenAfter(entry.seen, { step, movedAt, waitingFor, now: clock.now() });
    for (const { message, details } of seen.lines) report(message, { tokenId: entry.tokenId, ...details });
    entry.seen = seen;
    entry.progress = step === 'idle' ? undefined : seen.progress;
  }

  /** Once a step: it tells nothing itself. */
  function tellOfHanging(entry: Scheduled): void {
    const hanging = entry.isBusy && !entry.isHangingTold ? hangingStep(entry, clock.now()) : undefined;
    if (hanging === undefined) return;
    entry.isHangingTold = true;
    const { step, since, waitingFor } = hanging;
    report('distribution waits', { tokenId: entry.tokenId, step, since, ...waitingFor });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const now = clock.now().getTime();
      if (now >= allLookedAt + LONGEST_SLEEP || now < allLookedAt) {
        allLookedAt = now;
        soon.clear();
        for (const entry of timetable.values()) {
          if (entry.wakeAt < now + LONGEST_SLEEP) soon.add(entry);
          tellOfHanging(entry);
        }
      }
      const waiting = [...soon].filter(({ isBusy }) => !isBusy);
      // The one that has waited longest first: a token that has always something to do does not go before the others.
      waiting.sort((one, other) => one.wakeAt - other.wakeAt);
      const ready = waiting.filter(({ wakeAt }) => wakeAt <= now);
      for (const entry of ready.slice(0, options.tokensAtOnce - busy.size)) {
        const step = take(entry);
        busy.add(step);
        void step.finally(() => busy.delete(step));
      }
      // Whoever is ready and has no place is woken by the step that ends.
      const next = Math.min(
        waiting[ready.length]?.wakeAt ?? Number.MAX_SAFE_INTEGER,
        allLookedAt + LONGEST_SLEEP,
      );
      await pauseFor(next - now, wake.signal);
    }
    await Promise.all(busy);
  }

  const running = (async () => {
    const after = await timetableFilled();
    if (after !== undefined) await Promise.all([run(), follow(after)]);
  })();
  return {
    progress: progressOf(timetable, options, () => witness),
    async stop() {
      stopping.abort();
      kick();
      await running;
    },
  };
}

function progressOf(
  timetable: ReadonlyMap<string, Scheduled>,
  { clock, suitability }: DistributorOptions,
  witness: () => WitnessState | undefined,
): DistributionProgress {
  return {
    of(tokenId) {
      const entry = timetable.get(tokenId);
      const hanging = entry?.isBusy ? hangingStep(entry, clock.now()) : undefined;
      return hanging ?? entry?.progress;
    },
    overview() {
      const now = clock.now().getTime();
      let oldest: Scheduled | undefined;
      let batches = 0;
      let since: string | undefined;
      for (const entry of timetable.values()) {
        const isLate = entry.due !== undefined && entry.due <= now && entry.wakeAt <= now;
        if (isLate && (oldest?.due ?? Number.POSITIVE_INFINITY) > (entry.due ?? 0)) oldest = entry;
        const underWay = entry.memory?.paying?.signed.size ?? 0;
        batches += underWay;
        if (
          underWay > 0 &&
          entry.progress !== undefined &&
          (since === undefined || entry.progress.since < since)
        )
          since = entry.progress.since;
      }
      return {
        oldestDue:
          oldest?.due === undefined
            ? undefined
            : { tokenId: oldest.tokenId, dueAt: new Date(oldest.due).toISOString() },
        unsettled: { batches, since },
        chainUnsuitable: suitability.unsuitable(),
        witness: witness(),
      };
    },
  };
}

async function* allDocuments(readModel: ReadModel): AsyncGenerator<DistributionDocument> {
  for (let after: string | undefined; ; ) {
    const page: readonly DistributionDocument[] = await readModel.find(distributions, 'all', '', {
      limit: DOCUMENTS_PER_READ,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    after = page.at(-1)?.tokenId;
    if (page.length < DOCUMENTS_PER_READ) return;
  }
}

/** When a token is looked at first after the start. */
function wakeOf(document: DistributionDocument, options: Pick<EngineParts, 'clock' | 'keyring'>): number {
  const now = options.clock.now().getTime();
  if (document.openRunId !== null || document.requested || document.lentTo.length > 0) return now;
  // From then on the price of its pool is watched.
  return (dueOf(document, options) ?? Number.MAX_SAFE_INTEGER) - REFERENCE_WINDOW;
}

/** When its next run may be opened; undefined while none will be. */
function dueOf(
  { tokenId, createdAt, interval, lastDueAt, enabled, hidden, state }: DistributionDocument,
  { clock, keyring }: Pick<EngineParts, 'clock' | 'keyring'>,
): number | undefined {
  if (!enabled || hidden || state === 'halted') return undefined;
  const grid = { tokenId, createdAt, interval, lastDueAt: lastDueAt ?? undefined };
  return dueRun(grid, clock.now().getTime(), keyring.scanMoment).opensAt;
}

function tokenIdOf(data: { readonly [name: string]: unknown }): string {
  const { token: created } = data;
  return String((created as { readonly tokenId?: unknown } | undefined)?.tokenId);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
