/**
 * The open runs of all tokens by their step, and those that are stuck. What is recorded says the step and since when, in every
 * process and after every start; what a run waits for is known where it is distributed.
 */

import pMap from 'p-map';
import type { DistributionProgress, RunOpening, WaitSince } from '../distribution/services.ts';
import { isStuck, STEP_LIMITS } from '../distribution/waiting/step-limits.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import { type DistributionRunDocument, distributionRuns } from '../projections/distribution-runs.ts';
import { distributionSwitch } from '../projections/distribution-switch.ts';
import { distributions } from '../projections/distributions.ts';
import type { RunStep } from '../streams/distribution-step.ts';
import { DISTRIBUTION_SWITCH } from '../streams/distribution-switch.ts';
import { stepShown } from '../views/run-views.ts';
import { countEach } from './workload.ts';

/** Milliseconds: readiness is public. */
const SEEN_FOR = 3_000;
/** Number of runs of a step that are examined, oldest first: stuck runs are among them. */
const MOST_OF_A_STEP = 100;
const READS_AT_ONCE = 10;

/** The documents store `announce` as `open`; the time separates the two. */
const STEPS = Object.keys(STEP_LIMITS) as readonly (keyof typeof STEP_LIMITS)[];

export interface OpenRun {
  readonly tokenId: string;
  /** Null before the run is opened. */
  readonly runId: string | null;
  /** `consider`: the run is due or requested, and not opened yet. */
  readonly step: RunStep | 'consider';
  /** When it began the step. ISO 8601. */
  readonly since: string;
  /** When something was recorded of it last; at the announced moment if that is later. ISO 8601. */
  readonly movedAt: string;
  /** Undefined while it works, and where another process distributes. */
  readonly waitingFor: WaitSince | undefined;
}

export type OpenRunsWatch = ReturnType<typeof createOpenRunsWatch>;

export function createOpenRunsWatch({
  readModel,
  clock,
  progress,
}: {
  readonly readModel: ReadModel;
  readonly clock: Clock;
  /** Undefined while this process does not distribute. */
  readonly progress: () => DistributionProgress | undefined;
}) {
  const found = (step: string) => readModel.find(distributionRuns, 'step', step, { limit: MOST_OF_A_STEP });
  const isHalted = async ({ tokenId }: OpenRun) =>
    ((await readModel.get(distributions, tokenId))?.halted ?? null) !== null;

  async function look() {
    const [counts, documents, allHalted] = await Promise.all([
      countEach(readModel, distributionRuns, 'step', STEPS),
      Promise.all(STEPS.map(found)),
      readModel.get(distributionSwitch, DISTRIBUTION_SWITCH),
    ]);
    const now = clock.now();
    const distributed = progress();
    const runs = documents.flat().flatMap((document) => openRun(document, distributed, now));
    const late = runs.filter((run) => isStuck(run, now));
    const halted = await pMap(late, isHalted, { concurrency: READS_AT_ONCE });
    const unable = new Set(late.filter((_run, index) => allHalted !== undefined || halted[index]));
    const able = runs.filter((run) => !unable.has(run)).sort(byAge);
    const opening = (distributed?.opening() ?? []).map(openingRun);
    const all = [...able, ...(allHalted === undefined ? opening : [])].sort(byAge);
    return {
      /** Runs by step, halted ones among them. */
      counts: countsOf(counts, runs),
      /** The run of each step of which nothing was recorded for longest, but for halted ones. */
      oldest: new Map(
        able.toReversed().flatMap((run) => (run.step === 'consider' ? [] : [[run.step, run] as const])),
      ),
      /** The longest wait for each code, in the process that distributes. */
      waits: longestWaits(all),
      /** Includes runs that are to be opened, if this process distributes. The oldest first. */
      stuck: all.filter((run) => isStuck(run, now)) as readonly OpenRun[],
    };
  }

  /** At most three seconds old. */
  return { look: throttled(SEEN_FOR, clock, look) };
}

function openRun(
  document: DistributionRunDocument,
  distributed: DistributionProgress | undefined,
  now: Date,
): readonly OpenRun[] {
  const { tokenId, runId, progress } = document;
  const shown = stepShown(document, now);
  if (shown === undefined || progress === null) return [];
  const seen = distributed?.of(tokenId);
  const { step, since } = shown;
  // After a resumption the engine knows that the run has begun to move again.
  const movedAt = [progress.movedAt, seen?.movedAt ?? '', step === 'open' ? since : ''].reduce(later);
  // A token that was just resumed is checked again in a moment.
  const waitingFor = seen?.step === 'halted' ? undefined : seen?.waitingFor;
  return [{ tokenId, runId, step, since, movedAt, waitingFor }];
}

function openingRun({ tokenId, since, waitingFor }: RunOpening): OpenRun {
  return { tokenId, runId: null, step: 'consider', since, movedAt: since, waitingFor };
}

function countsOf(
  { open, ...recorded }: Readonly<Record<keyof typeof STEP_LIMITS, number>>,
  runs: readonly OpenRun[],
): ReadonlyMap<string, number> {
  const announce = runs.filter(({ step }) => step === 'announce').length;
  return new Map(Object.entries({ ...recorded, open: open - announce, announce }));
}

function longestWaits(runs: readonly OpenRun[]): readonly WaitSince[] {
  const longest = new Map<string, WaitSince>();
  for (const { waitingFor } of runs) {
    if (waitingFor === undefined) continue;
    const before = longest.get(waitingFor.code);
    if (before === undefined || waitingFor.since < before.since) longest.set(waitingFor.code, waitingFor);
  }
  return [...longest.values()];
}

function byAge(one: OpenRun, other: OpenRun): number {
  return one.movedAt < other.movedAt ? -1 : Number(one.movedAt > other.movedAt);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
