/** Limits of the time a run may stay in a step without progress; readiness, the log and the alerts use them. */
import type { EngineStep, RunStep } from '../../streams/distribution-step.ts';
import { type DeclaredWait, WAITS } from '../../streams/distribution-wait.ts';
import type { WaitSince } from '../services.ts';

/** Seconds since something was recorded of the run. `announce` has none: it ends at a moment that is known before. */
export const STEP_LIMITS: { readonly [Step in Exclude<RunStep, 'announce'>]: number } = {
  /** A link is final in some seconds. */
  begin: 300,
  /** A million accounts are read in some minutes, and again while they are traded. */
  scan: 900,
  /** A million accounts are harvested, 60 in a transaction. */
  collect: 1_800,
  /** A fair price may be waited for during most of an interval; an unusual wait is reported much earlier. */
  split: 21_600,
  allot: 900,
  open: 300,
  /** Each round is recorded when it is planned and when it is settled. */
  pay: 300,
  close: 300,
};

/** Seconds that trouble may last before the run is reported as stuck, in any step. A fault is reported immediately. */
export const TROUBLE_LIMIT = 120;

/** Milliseconds. Before a run is opened, the holders are scanned too. A token that is idle or halted is reported elsewhere. */
export function stepLimit(step: EngineStep): number {
  const limits: { readonly [step: string]: number } = { ...STEP_LIMITS, consider: STEP_LIMITS.scan };
  return (limits[step] ?? Number.POSITIVE_INFINITY) * 1_000;
}

/** True if a run is reported as stuck: nothing was recorded of it since `movedAt`. Pure. */
export function isStuck(
  run: {
    readonly step: RunStep | 'consider';
    readonly movedAt: string;
    readonly waitingFor: WaitSince | undefined;
  },
  now: Date,
): boolean {
  const ageOf = (time: string) => now.getTime() - Date.parse(time);
  const { step, movedAt, waitingFor } = run;
  if (ageOf(movedAt) > stepLimit(step)) return true;
  if (waitingFor === undefined) return false;
  const { kind }: DeclaredWait = WAITS[waitingFor.code];
  if (kind === 'fault') return true;
  return kind === 'trouble' && ageOf(waitingFor.since) > TROUBLE_LIMIT * 1_000;
}
