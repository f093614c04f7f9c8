/** Status of the running engine, for queries, readiness and metrics. */

import type { EngineStep } from '../streams/distribution-step.ts';
import type { Wait } from '../streams/distribution-wait.ts';
import type { UnsoldReason } from '../streams/unsold-reasons.ts';

export interface DistributionServices {
  /** Undefined unless this process distributes. */
  readonly distributionProgress: () => DistributionProgress | undefined;
  /** Tokens whose open or due run does not advance, oldest first; readiness reports them. */
  readonly stuckTokens: () => Promise<readonly string[]>;
}

/** Progress of the engine, read from memory without waiting. */
export interface DistributionProgress {
  /** Progress of a token's open run; undefined while the engine does not work on it. */
  of(tokenId: string): RunProgress | undefined;
  overview(): DistributionOverview;
  /** Due or requested runs that cannot be opened yet, oldest first; at most 100. */
  opening(): readonly RunOpening[];
}

export interface RunOpening extends Pick<RunProgress, 'since' | 'waitingFor'> {
  readonly tokenId: string;
}

export interface RunProgress {
  readonly step: EngineStep;
  /** ISO 8601 time at which this process first observed the step. */
  readonly since: string;
  /** ISO 8601 time of the run's latest event that this process has read. */
  readonly movedAt?: string | undefined;
  /** Undefined if the run is not waiting. */
  readonly waitingFor: WaitSince | undefined;
  /** Undefined in the results of `observed-run.ts`; added from the timetable. */
  readonly retries?: {
    /** Failed steps since the run last advanced. */
    readonly failed: number;
    /** ISO 8601; undefined while a step is running. */
    readonly nextAt: string | undefined;
  };
}

export interface WaitSince extends Wait {
  /**
   * ISO 8601 start of the wait. The first wait after startup counts from the run's latest event, so that a stuck run does not
   * appear new after a restart.
   */
  readonly since: string;
}

export interface DistributionOverview {
  /**
   * Token with the longest overdue run, and the ISO 8601 time at which it fell due; without tokens that are halted, disabled,
   * skipped or waiting. Undefined if no run is overdue.
   */
  readonly oldestDue: { readonly tokenId: string; readonly dueAt: string } | undefined;
  /**
   * Payment batches that may have been sent and are not settled. `since`: time at which the first of their runs
   * began to pay.
   */
  readonly unsettled: { readonly batches: number; readonly since: string | undefined };
  /** Reason why the chain cannot carry distributions; undefined if it can, or before it was checked. */
  readonly chainUnsuitable: string | undefined;
  /** Undefined without a witness. */
  readonly witness: WitnessState | undefined;
}

export interface WitnessState {
  /** `silent`: the witness does not respond. `disagrees`: its response differs. The run waits in both cases. */
  readonly state: 'agrees' | 'silent' | 'disagrees';
  /** ISO 8601. */
  readonly since: string;
  /** Reason of the silence or disagreement. */
  readonly detail: string | undefined;
}

/** Counters of the engine's actions and their results. */
export interface DistributionCounts {
  /** Counts a scan of a mint's accounts. */
  scanned(outcome: ScanOutcome): void;
  transaction(kind: TransactionKind, outcome: (typeof TRANSACTION_OUTCOMES)[number]): void;
  /** Counts a sale, or the reason why a run sold nothing. */
  sale(outcome: 'sold' | UnsoldReason): void;
}

/**
 * `complete`: the scan adds up and is used. `inconsistent`: trades landed between its pages, so it is repeated in one response.
 * `disagrees`: the scan does not add up, and trades cannot be the cause.
 */
export const SCAN_OUTCOMES = ['complete', 'inconsistent', 'failed', 'disagrees'] as const;
type ScanOutcome = (typeof SCAN_OUTCOMES)[number];

export const TRANSACTION_KINDS = ['harvest', 'withdraw', 'link', 'payment'] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/**
 * `sent`: each send, including repeats. `landed`: each transaction that the chain shows. `refused`: each that the node rejected.
 * `failed`: each that failed on the chain and cost its fee.
 */
export const TRANSACTION_OUTCOMES = ['sent', 'landed', 'refused', 'failed'] as const;
