/** How long a run may be in a step without moving before it is told: readiness, the log and the alerts go by these. */
import type { EngineStep, RunStep } from '../../streams/distribution-step.ts';

/** Seconds since something was recorded of the run. `announce` counts from the announced moment, which is known before. */
export const STEP_LIMITS: { readonly [Step in RunStep]: number } = {
  /** A link is final in some seconds. */
  begin: 300,
  /** A million accounts are read in some minutes, and again while they are traded. */
  scan: 900,
  /** A million accounts are harvested, 60 in a transaction. */
  collect: 1_800,
  /** A fair price may be waited for during most of an interval. */
  split: 3_600,
  allot: 900,
  /** Ends by itself; what comes afterwards is in the step `open`. */
  announce: 300,
  open: 300,
  /** Each round is recorded when it is planned and when it is settled. */
  pay: 300,
  close: 300,
};

/** Milliseconds. A token without an open run is told by other means: runs that are due, halted tokens. */
export function stepLimit(step: EngineStep): number {
  return step in STEP_LIMITS ? STEP_LIMITS[step as RunStep] * 1_000 : Number.POSITIVE_INFINITY;
}
