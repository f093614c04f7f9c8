/**
 * The steps of a run, each named by one word that is the same in the log, the metrics, the answers and the docs. What is
 * recorded says which step a run is in: so every process says the same, after a restart too. Pure.
 */
import type { LinkPurpose } from './distribution.ts';
import type { DistributionRunState } from './distribution-run.ts';

/** In the order in which a run takes them, each with what the run does in it. */
export const RUN_STEPS = {
  begin: "Creates the token's first till. Only in its first run.",
  scan: 'Reads all accounts of the token.',
  collect: "Collects the withheld tax into the distribution wallet's own account.",
  split: 'Burns a part of the collected tax, and sells a part.',
  allot: 'Decides what each owner gets, and writes and records the ledger.',
  announce: 'Waits for the announced time: the ledger is public, and nothing is paid before.',
  open: "Opens the pots, or approves the run's key if the token itself is paid.",
  pay: 'Signs, sends and settles payments, batch by batch.',
  close: 'Closes the pots, checks the accounts, and writes the settlement.',
} as const;

export type RunStep = keyof typeof RUN_STEPS;

/** Steps for a token without an open run, or whose run must be left alone. */
export const IDLE_STEPS = {
  idle: 'No run is open, and none is due.',
  consider: 'A run is due or requested; its proceeds are compared with its costs.',
  halted: 'An operator or a failed check has halted the token, or an operator all tokens.',
} as const;

export type EngineStep = RunStep | keyof typeof IDLE_STEPS;

/** Recorded links of an open run. */
interface RecordedLinks {
  /** Purpose of the links in flight. */
  readonly pendingPurpose: LinkPurpose | undefined;
  /** The token has a till. */
  readonly isBegun: boolean;
  /** Purposes of the links that landed. */
  readonly landed: readonly string[];
}

type RunRecords = Pick<
  DistributionRunState,
  'scanned' | 'collected' | 'split' | 'allotted' | 'pots' | 'witnessed'
>;

/** Between `allot` and the announced moment this says `open`: see `announced`. */
export function recordedStep(
  { pendingPurpose, isBegun, landed }: RecordedLinks,
  { scanned, collected, split, allotted, pots, witnessed }: RunRecords,
): Exclude<RunStep, 'announce'> {
  if (pendingPurpose !== undefined) return pendingPurpose;
  if (!isBegun) return 'begin';
  if (scanned === undefined) return 'scan';
  if (collected === undefined) return 'collect';
  if (split === undefined) return 'split';
  if (allotted === undefined) return 'allot';
  if (pots.length > 0 && !landed.includes('open')) return 'open';
  const isClosing = landed.includes('close') || witnessed.length > 0;
  return isClosing || pots.every(({ value }) => value === '0') ? 'close' : 'pay';
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
