/** The running engine's own status for operators: queries, readiness and metrics read it, and need nothing else of it. */

import type { EngineStep } from '../streams/distribution-step.ts';
import type { Wait } from '../streams/distribution-wait.ts';
import type { UnsoldReason } from '../streams/unsold-reasons.ts';

export interface DistributionServices {
  /** Undefined while another process distributes, or none does. */
  readonly distributionProgress: () => DistributionProgress | undefined;
  /** Tokens whose open or due run does not advance, as readiness reports them; the oldest first. */
  readonly stuckTokens: () => Promise<readonly string[]>;
}

/** Everything is read from memory: asking costs nothing, and waits for nothing. */
export interface DistributionProgress {
  /** Progress of a token's open run; undefined while the engine does not work on one. */
  of(tokenId: string): RunProgress | undefined;
  overview(): DistributionOverview;
  /** Runs that are due or requested and cannot be opened yet, the oldest first: a hundred at most. */
  opening(): readonly RunOpening[];
}

export interface RunOpening extends Pick<RunProgress, 'since' | 'waitingFor'> {
  readonly tokenId: string;
}

export interface RunProgress {
  readonly step: EngineStep;
  /** When this process first saw it in the step. ISO 8601. */
  readonly since: string;
  /** When something was last recorded of the run, as far as that was read. ISO 8601. */
  readonly movedAt?: string | undefined;
  /** Undefined while it works. */
  readonly waitingFor: WaitSince | undefined;
  /** Undefined in what `seen.ts` makes: the timetable knows it. */
  readonly retries?: {
    /** Steps that failed since the run moved last. */
    readonly failed: number;
    /** ISO 8601; undefined while a step is under way. */
    readonly nextAt: string | undefined;
  };
}

export interface WaitSince extends Wait {
  /**
   * Since when it waits for this. ISO 8601. The first wait after a start counts from what was recorded last: nothing has
   * moved since then, so that a run that is stuck does not look fresh after a restart.
   */
  readonly since: string;
}

export interface DistributionOverview {
  /**
   * The token that has waited longest for a run that is due (ISO 8601), and that nothing keeps from being opened: neither
   * a halt nor the creator nor a reason to skip it. Undefined if none waits.
   */
  readonly oldestDue: { readonly tokenId: string; readonly dueAt: string } | undefined;
  /** Batches of payments that may have been sent and are not settled; `since` is when the oldest was recorded. */
  readonly unsettled: { readonly batches: number; readonly since: string | undefined };
  /** Why the chain cannot carry distributions; undefined if it can, or while that is not known. */
  readonly chainUnsuitable: string | undefined;
  /** Undefined without a witness. */
  readonly witness: WitnessState | undefined;
}

export interface WitnessState {
  /** `silent`: it does not answer. `disagrees`: it shows something else, so that books stay open. */
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
  /** A run has sold, or said why it sold nothing. */
  sale(outcome: 'sold' | UnsoldReason): void;
}

/**
 * `complete`: it added up and is used. `inconsistent`: trades came between its pages, so that it is read again in one answer.
 * `disagrees`: it did not add up, and no trade can be the reason.
 */
export const SCAN_OUTCOMES = ['complete', 'inconsistent', 'failed', 'disagrees'] as const;
export type ScanOutcome = (typeof SCAN_OUTCOMES)[number];

export const TRANSACTION_KINDS = ['harvest', 'withdraw', 'link', 'payment'] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/**
 * `sent` counts every time that one is sent, `landed` each one that the chain shows, `refused` each that it would not take, `failed`
 * each that failed on the chain and cost its fee.
 */
export const TRANSACTION_OUTCOMES = ['sent', 'landed', 'refused', 'failed'] as const;
