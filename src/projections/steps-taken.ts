/** The steps that a run has taken, with their times and what they waited for. */
import type { recordedStep } from '../streams/distribution-step.ts';

export type RecordedStep = ReturnType<typeof recordedStep>;

export type StepTaken = {
  readonly step: RecordedStep;
  readonly begunAt: string;
  /** Null in the step that the run is in. */
  readonly endedAt: string | null;
  /** Transactions of payments that the chain has shown at `finalized`. */
  readonly batches: number;
  /** As they were recorded: each reason once in a run. */
  readonly waits: readonly {
    readonly code: string;
    readonly since: string;
    /** When something was recorded of the run again. */
    readonly until: string | null;
  }[];
};

type Steps = readonly StepTaken[];

/** Something was recorded, after which the run is in `step`. */
export function movedTo(steps: Steps, step: RecordedStep, at: string): Steps {
  if (steps.at(-1)?.step === step) return withLast(steps, (last) => goingOn(last, at));
  return [...ended(steps, at), { step, begunAt: at, endedAt: null, batches: 0, waits: [] }];
}

export function ended(steps: Steps, at: string): Steps {
  return withLast(steps, (last) => ({ ...goingOn(last, at), endedAt: at }));
}

export function waiting(steps: Steps, code: string, at: string): Steps {
  return withLast(steps, (last) => {
    const before = goingOn(last, at);
    return { ...before, waits: [...before.waits, { code, since: at, until: null }] };
  });
}

export function withBatches(steps: Steps, count: number): Steps {
  return withLast(steps, (last) => ({ ...last, batches: last.batches + count }));
}

function goingOn(step: StepTaken, at: string): StepTaken {
  return { ...step, waits: step.waits.map((wait) => (wait.until === null ? { ...wait, until: at } : wait)) };
}

function withLast(steps: Steps, change: (last: StepTaken) => StepTaken): Steps {
  const last = steps.at(-1);
  return last === undefined ? steps : [...steps.slice(0, -1), change(last)];
}
