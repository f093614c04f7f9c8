import type { LandedLinks, RecordedLink } from '../../streams/distribution.ts';
import type {
  AllottedRun,
  DistributionRunState,
  PlannedBatch,
  PlannedPot,
  PotProgress,
  Refusal,
} from '../../streams/distribution-run.ts';
import type { Absences } from '../absences.ts';
import type { DistributedToken } from '../distributed-token.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Failures } from '../sending/failures.ts';
import type { HistorySearches } from '../sending/find-transaction.ts';
import type { SignedTransaction } from '../sending/sender.ts';
import type { PaymentBook } from './payment-book.ts';

export interface Replan {
  readonly batch: PlannedBatch;
  readonly refused: readonly { readonly number: number; readonly refusal: Refusal }[];
}

export type PayingParts = Pick<
  EngineParts,
  'chain' | 'witness' | 'sender' | 'keyring' | 'yieldToOthers' | 'clock' | 'policy'
>;

export interface SignedBatch {
  readonly transaction: SignedTransaction;
  /** Earlier signatures of the same batch. */
  readonly before: readonly string[];
  /** Error with which the transaction landed. */
  readonly failure?: string;
}

/** Transactions signed in this process. Losing them costs signatures and searches. */
export type PayingMemory = ReturnType<typeof createPayingMemory>;

/** `opened`: slot at which the pots were open. A node at an earlier slot would show them as missing. */
export function createPayingMemory(opened: bigint) {
  return {
    /** Keyed by batch, like `failures`. */
    signed: new Map<string, SignedBatch>(),
    failures: new Map() as Failures,
    /** Compute units of a transaction, by asset and number of recipients. */
    units: new Map<string, number>(),
    /** The latest slot at which pots were read. */
    slot: opened,
    /** Number of reads since the last signature or settlement. */
    looks: 0,
  };
}

const FIRST_PAUSE = 50;

/**
 * Milliseconds until the next read; doubles with each read that shows nothing new, because transactions that are sent together
 * become final together, except lost ones.
 */
export function pauseBeforeRead({ looks }: Pick<PayingMemory, 'looks'>, longest: number): number {
  return Math.min(longest, FIRST_PAUSE * 2 ** looks);
}

export interface Paying {
  readonly token: DistributedToken;
  readonly run: AllottedRun;
  readonly state: DistributionRunState;
  readonly book: PaymentBook;
  readonly memory: PayingMemory;
  /** Links of the run. Apart from payments, the run's keys sign only these. */
  readonly links: {
    readonly landed: readonly Pick<LandedLinks, 'links'>[];
    readonly pending: readonly Pick<RecordedLink, 'till'>[];
  };
  readonly absences: Absences;
  readonly searches: HistorySearches;
}

export interface OpenPot {
  readonly index: number;
  readonly planned: PlannedPot;
  readonly progress: PotProgress;
}
