/**
 * The steps of a run, each named by one word that is the same in the log, the metrics, the answers and the docs. What is
 * recorded says which step a run is in: so every process says the same, after a restart too. Pure.
 */
import type { LinkPurpose } from './distribution.ts';

/** In the order in which a run takes them, each with what the run does in it. */
export const RUN_STEPS = {
  begin: "Makes the token's first till. In its first run only.",
  scan: 'Reads all accounts of the token.',
  collect: "Collects the withheld tax into the distribution wallet's own account.",
  split: 'Burns a part of the collected tax, and sells a part.',
  allot: 'Decides what each owner gets, and writes and records the ledger.',
  announce: 'Waits for the announced moment: the ledger is public, and nothing is paid before.',
  open: "Opens the pots that pay, or approves the run's key where the token itself is paid.",
  pay: 'Signs, sends and settles payments, batch by batch.',
  close: 'Closes the pots, checks the books, and writes the settlement.',
} as const;

export type RunStep = keyof typeof RUN_STEPS;

/** What the engine does with a token that has no open run, or whose run it must leave alone. */
export const IDLE_STEPS = {
  idle: 'No run is open, and none is due.',
  consider: 'A run is due or requested: decides whether it is worth its costs.',
  halted: 'An operator or a failed check has halted the token, or an operator all tokens.',
} as const;

export type EngineStep = RunStep | keyof typeof IDLE_STEPS;

/** What is recorded of an open run. */
export interface RecordedProgress {
  /** What links are under way for. */
  readonly pendingPurpose: LinkPurpose | undefined;
  /** The token has a till. */
  readonly isBegun: boolean;
  readonly isScanned: boolean;
  readonly isCollected: boolean;
  readonly isSplit: boolean;
  readonly isAllotted: boolean;
  /** What is left in each of the allotted pots. */
  readonly left: readonly string[];
  readonly isOpened: boolean;
  /** Links have landed that close pots, or the books wait for the second node. */
  readonly isClosing: boolean;
}

/** Between `allot` and the announced moment this says `open`: see `announced`. */
export function recordedStep(run: RecordedProgress): Exclude<RunStep, 'announce'> {
  if (run.pendingPurpose !== undefined) return run.pendingPurpose;
  if (!run.isBegun) return 'begin';
  if (!run.isScanned) return 'scan';
  if (!run.isCollected) return 'collect';
  if (!run.isSplit) return 'split';
  if (!run.isAllotted) return 'allot';
  if (run.left.length > 0 && !run.isOpened) return 'open';
  return run.isClosing || run.left.every((left) => left === '0') ? 'close' : 'pay';
}

export interface StepSince {
  readonly step: RunStep;
  /** When it began the step. ISO 8601. */
  readonly since: string;
}

/** Nothing is recorded at the announced moment: only the time separates `announce` from `open`. */
export function announced(
  { step, since }: StepSince,
  payAfter: string | undefined,
  isPending: boolean,
  now: Date,
): StepSince {
  if (step !== 'open' || payAfter === undefined || isPending) return { step, since };
  if (Date.parse(payAfter) > now.getTime()) return { step: 'announce', since };
  return { step, since: payAfter > since ? payAfter : since };
}
