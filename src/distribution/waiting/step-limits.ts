/** Maximum time that a run may stay in a step without progress; used by readiness, the log and the alerts. */
import type { EngineStep, RunStep } from '../../streams/distribution-step.ts';
import { type DeclaredWait, WAITS } from '../../streams/distribution-wait.ts';
import type { WaitSince } from '../services.ts';

/** Seconds since the run's latest event. `announce` has no limit, because its end is known in advance. */
export const STEP_LIMITS: { readonly [Step in Exclude<RunStep, 'announce'>]: number } = {
  /** A link becomes final within seconds. */
  begin: 300,
  /** Reading a million accounts takes minutes, and changed accounts are read again. */
  scan: 900,
  /** A million accounts are harvested, 60 per transaction. */
  collect: 1_800,
  /** Waiting for a fair price may take most of an interval; unusual waits are reported much earlier. */
  split: 21_600,
  allot: 900,
  open: 300,
  /** Each round is recorded when it is planned and when it is settled. */
  pay: 300,
  close: 300,
};

/** Seconds that trouble may last before the run is reported as stuck, in any step. A fault is reported immediately. */
export const TROUBLE_LIMIT = 120;

/**
 * Time limit of a step in milliseconds. `consider` has the limit of a scan, which opening a run includes. Idle and halted tokens
 * are reported elsewhere.
 */
export function stepLimit(step: EngineStep): number {
  const limits: { readonly [step: string]: number } = { ...STEP_LIMITS, consider: STEP_LIMITS.scan };
  return (limits[step] ?? Number.POSITIVE_INFINITY) * 1_000;
}

/** True if a run is reported as stuck, for example without an event since `movedAt` for too long. Pure. */
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
