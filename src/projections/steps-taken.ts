/** How a run goes on: the steps that it has taken, what it waited for, what landed, and what is under way. */
import type { LinkPurpose, RecordedLink } from '../streams/distribution.ts';
import type { recordedStep } from '../streams/distribution-step.ts';

type RecordedStep = ReturnType<typeof recordedStep>;

/** It ends where the next one begins. */
export type StepTaken = {
  readonly step: RecordedStep;
  readonly begunAt: string;
  /** Transactions of payments that the chain has shown at `finalized`. */
  readonly batches: number;
};

export type RecordedWait = {
  readonly code: string;
  readonly since: string;
  /** When something was recorded of the run again. */
  readonly until: string | null;
};

export type LandedTransaction = {
  readonly signature: string;
  readonly purpose: LinkPurpose | 'withdraw';
  /** When that was recorded. */
  readonly at: string;
};

export type RunProgress = {
  /** When something was recorded of it last. */
  readonly movedAt: string;
  /** Links that may be signed and have not landed. */
  readonly pending: {
    readonly purpose: LinkPurpose;
    readonly links: readonly Pick<RecordedLink, 'till' | 'previous'>[];
  } | null;
};

type Steps = readonly StepTaken[];
type Waits = readonly RecordedWait[];

/** After what was recorded, the run is in `step`. */
export function movedTo(steps: Steps, step: RecordedStep, at: string): Steps {
  return steps.at(-1)?.step === step ? steps : [...steps, { step, begunAt: at, batches: 0 }];
}

export function withBatches(steps: Steps, count: number): Steps {
  const last = steps.at(-1);
  return last === undefined ? steps : [...steps.slice(0, -1), { ...last, batches: last.batches + count }];
}

export function waitedUntil(waits: Waits, at: string): Waits {
  return waits.map((wait) => (wait.until === null ? { ...wait, until: at } : wait));
}

export function waitingSince(waits: Waits, code: string, at: string): Waits {
  return [...waitedUntil(waits, at), { code, since: at, until: null }];
}

export function landed(
  purpose: LandedTransaction['purpose'],
  signatures: readonly string[],
  at: string,
): readonly LandedTransaction[] {
  return signatures.map((signature) => ({ signature, purpose, at }));
}
