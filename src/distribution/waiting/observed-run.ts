/**
 * Observed state of a token's run (its step, its wait and the start of both), and log lines about it, one per state instead of
 * one per attempt. Pure.
 */
import type { EngineStep } from '../../streams/distribution-step.ts';
import { type DeclaredWait, WAITS, type Wait } from '../../streams/distribution-wait.ts';
import type { RunProgress, WaitSince } from '../services.ts';
import { stepLimit } from './step-limits.ts';

/** Milliseconds of trouble before it is logged: nodes often lag for a moment. */
const TROUBLE_LOGGED_AFTER = 15_000;
/** Milliseconds without a repetition after which a wait is over; longer than the longest pause between two attempts. */
const OVER_AFTER = 180_000;

interface Line {
  readonly message: 'distribution waits' | 'distribution continues';
  readonly details: object;
}

interface ObservedWait extends WaitSince {
  /** Time of the latest wait, in milliseconds. */
  readonly lastAt: number;
  /** ISO 8601 start of the wait in the log; undefined if it is not logged. */
  readonly loggedSince: string | undefined;
  /** Code that was logged last. */
  readonly loggedCode: string | undefined;
}

export interface ObservedRun {
  readonly progress: RunProgress;
  readonly movedAt: string | undefined;
  /** The current wait, until it is over. */
  readonly wait: ObservedWait | undefined;
  readonly lines: readonly Line[];
}

interface ObservedStep {
  readonly step: EngineStep;
  /** ISO 8601 time of the run's latest event, if it was read. */
  readonly movedAt: string | undefined;
  readonly waitingFor: Wait | undefined;
  readonly now: Date;
}

export function observeStep(before: ObservedRun | undefined, taken: ObservedStep): ObservedRun {
  const { step, waitingFor, now } = taken;
  const movedAt = taken.movedAt ?? before?.movedAt;
  const isSame = before?.progress.step === step && before.movedAt === movedAt;
  // The run has not changed since then, so a restart does not shorten its wait.
  const begun = before === undefined ? (movedAt ?? now.toISOString()) : now.toISOString();
  const since = before?.progress.step === step ? before.progress.since : begun;
  const earlier = isSame ? before.wait : undefined;
  const wait = waitAfter(earlier, waitingFor, { now, begun });
  const isOver = step !== 'halted' && (wait === undefined || earlier === undefined);
  const ended = isOver ? endOf(before, now) : [];
  const told = wait === undefined ? undefined : logWait(step, wait, now);
  return {
    progress: { step, since, movedAt, waitingFor: waitingFor && wait && waitSinceOf(wait) },
    movedAt,
    wait: told?.wait ?? wait,
    lines: [...ended, ...(told?.lines ?? [])],
  };
}

function waitAfter(
  earlier: ObservedWait | undefined,
  waitingFor: Wait | undefined,
  { now, begun }: { readonly now: Date; readonly begun: string },
): ObservedWait | undefined {
  if (waitingFor === undefined)
    return earlier !== undefined && now.getTime() - earlier.lastAt < OVER_AFTER ? earlier : undefined;
  return {
    ...waitingFor,
    since: earlier?.code === waitingFor.code ? earlier.since : begun,
    lastAt: now.getTime(),
    loggedSince: earlier?.loggedSince,
    loggedCode: earlier?.loggedCode,
  };
}

function logWait(
  step: EngineStep,
  wait: ObservedWait,
  now: Date,
): { readonly wait: ObservedWait; readonly lines: readonly Line[] } | undefined {
  const { code, detail, since, error, loggedCode, loggedSince } = wait;
  const waited = now.getTime() - Date.parse(since);
  if (loggedCode === code || wait.lastAt !== now.getTime() || waited < loggedAfter(step, code))
    return undefined;
  const details = { step, code, detail, since, ...(error === undefined ? {} : { error }) };
  return {
    wait: { ...wait, loggedCode: code, loggedSince: loggedSince ?? since },
    lines: [{ message: 'distribution waits', details }],
  };
}

/** Milliseconds before a wait is logged. Reasons against opening a run are recorded and shown with the token instead. */
function loggedAfter(step: EngineStep, code: keyof typeof WAITS): number {
  if (step === 'idle') return Number.POSITIVE_INFINITY;
  const { kind }: DeclaredWait = WAITS[code];
  if (kind === 'fault') return 0;
  if (kind === 'trouble') return TROUBLE_LOGGED_AFTER;
  return stepLimit(step);
}

function endOf(before: ObservedRun | undefined, now: Date): readonly Line[] {
  const { wait, progress } = before ?? {};
  if (wait?.loggedSince === undefined || progress === undefined) return [];
  const waited = now.getTime() - Date.parse(wait.loggedSince);
  const details = {
    step: progress.step,
    code: wait.loggedCode,
    afterSeconds: Math.max(0, Math.round(waited / 1_000)),
  };
  return [{ message: 'distribution continues', details }];
}

function waitSinceOf({ code, detail, since, error }: ObservedWait): WaitSince {
  return { code, detail, since, ...(error === undefined ? {} : { error }) };
}
