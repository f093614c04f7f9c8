/**
 * Open runs of all tokens by step, and stuck runs. The step and its start come from the log, so they are equal in every
 * process; only the distributing process has the reasons for waits.
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
import { stepView } from '../views/run-views.ts';
import { countEach } from './workload.ts';

/** Lifetime in milliseconds of a cached check: readiness is public. */
const STATUS_TTL = 3_000;
/** Number of runs of a step that are examined, oldest first: stuck runs are among them. */
const MAX_OF_A_STEP = 100;
const CONCURRENT_READS = 10;

/** The documents store `announce` as `open`; the time distinguishes them. */
const STEPS = Object.keys(STEP_LIMITS) as readonly (keyof typeof STEP_LIMITS)[];

export interface OpenRun {
  readonly tokenId: string;
  /** Null before the run is opened. */
  readonly runId: string | null;
  /** `consider`: the run is due or requested, and not opened yet. */
  readonly step: RunStep | 'consider';
  /** Start of the step. ISO 8601. */
  readonly since: string;
  /** Time of the last recorded event, or the announced time of payment if that is later. ISO 8601. */
  readonly movedAt: string;
  /** Undefined while the run works, and if another process distributes. */
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
  const found = (step: string) => readModel.find(distributionRuns, 'step', step, { limit: MAX_OF_A_STEP });
  const isHalted = async ({ tokenId }: OpenRun) =>
    ((await readModel.get(distributions, tokenId))?.halted ?? null) !== null;

  async function check() {
    const [counts, documents, allHalted] = await Promise.all([
      countEach(readModel, distributionRuns, 'step', STEPS),
      Promise.all(STEPS.map(found)),
      readModel.get(distributionSwitch, DISTRIBUTION_SWITCH),
    ]);
    const now = clock.now();
    const distributed = progress();
    const runs = documents.flat().flatMap((document) => openRun(document, distributed, now));
    const late = runs.filter((run) => isStuck(run, now));
    const halted = await pMap(late, isHalted, { concurrency: CONCURRENT_READS });
    const unable = new Set(late.filter((_run, index) => allHalted !== undefined || halted[index]));
    const able = runs.filter((run) => !unable.has(run)).sort(byAge);
    const opening = (distributed?.opening() ?? []).map(openingRun);
    const all = [...able, ...(allHalted === undefined ? opening : [])].sort(byAge);
    return {
      /** Runs by step, including halted ones. */
      counts: countsOf(counts, runs),
      /** Least recently recorded run of each step, without halted ones. */
      oldest: new Map(
        able.toReversed().flatMap((run) => (run.step === 'consider' ? [] : [[run.step, run] as const])),
      ),
      /** Longest wait for each code, in the process that distributes. */
      waits: longestWaits(all),
      /** Includes runs that are to be opened, if this process distributes. Oldest first. */
      stuck: all.filter((run) => isStuck(run, now)) as readonly OpenRun[],
    };
  }

  /** Result at most three seconds old. */
  return { look: throttled(STATUS_TTL, clock, check) };
}

function openRun(
  document: DistributionRunDocument,
  distributed: DistributionProgress | undefined,
  now: Date,
): readonly OpenRun[] {
  const { tokenId, runId, progress } = document;
  const shown = stepView(document, now);
  if (shown === undefined || progress === null) return [];
  const seen = distributed?.of(tokenId);
  const { step, since } = shown;
  // After a resumption, the engine has a later time than the log.
  const movedAt = [progress.movedAt, seen?.movedAt ?? '', step === 'open' ? since : ''].reduce(laterOf);
  // A token that was just resumed is checked again shortly.
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

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}
