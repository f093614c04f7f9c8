/**
 * Steps of a run. Each has one name in the log, the metrics, the API and the docs. The step is derived from recorded events, so
 * every process reports the same one, also after a restart. Pure.
 */
import type { LinkPurpose } from './distribution.ts';
import type { DistributionRunState } from './distribution-run.ts';

/** Steps in the order of a run, with their descriptions. */
export const RUN_STEPS = {
  begin: "Creates the token's first till. Only in its first run.",
  scan: 'Reads all accounts of the token.',
  collect: "Collects the withheld tax into the distribution wallet's own account.",
  split: 'Burns a part of the collected tax, and sells a part.',
  allot: "Decides each owner's payment, and writes and records the ledger.",
  announce: 'Waits for the announced time: the ledger is public, and nothing is paid before.',
  open: "Opens the pots, or approves the run's key if the token itself is paid.",
  pay: 'Signs, sends and settles payments, batch by batch.',
  close: 'Closes the pots, checks the accounts, and writes the settlement.',
} as const;

export type RunStep = keyof typeof RUN_STEPS;

/** Steps of a token that has no open run or is halted. */
export const IDLE_STEPS = {
  idle: 'No run is open or due.',
  consider: 'A run is due or requested; its proceeds are compared with its costs.',
  halted: 'An operator or a failed check has halted the token, or an operator has halted all tokens.',
} as const;

export type EngineStep = RunStep | keyof typeof IDLE_STEPS;

/** Recorded links of an open run. */
interface RecordedLinks {
  /** Purpose of the pending links. */
  readonly pendingPurpose: LinkPurpose | undefined;
  /** True if the token has a till. */
  readonly isBegun: boolean;
  /** Purposes of the links that landed. */
  readonly landed: readonly string[];
}

type RunRecords = Pick<
  DistributionRunState,
  'scanned' | 'collected' | 'split' | 'allotted' | 'pots' | 'witnessed'
>;

/** Returns `open` from `allot` on, even before the announced time; `announced` distinguishes the two. */
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
  /** ISO 8601 start of the step. */
  readonly since: string;
}

/** Distinguishes `announce` from `open` by the time, because no event is recorded at the announced time. */
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
