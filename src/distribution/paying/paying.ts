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
  'chain' | 'witness' | 'sender' | 'keyring' | 'rest' | 'clock' | 'policy'
>;

export interface SignedBatch {
  readonly transaction: SignedTransaction;
  /** Earlier signatures of the same batch. */
  readonly before: readonly string[];
  /** The error with which it landed. */
  readonly failure?: string;
}

/** Transactions signed in this process. Losing them costs signatures and searches. */
export type PayingMemory = ReturnType<typeof createPayingMemory>;

/** `opened`: the slot at which the pots were seen to be open. A node that is older would show them as missing. */
export function createPayingMemory(opened: bigint) {
  return {
    /** Keyed by batch, like the failures. */
    signed: new Map<string, SignedBatch>(),
    failures: new Map() as Failures,
    /** Units of a transaction, by asset and number of recipients. */
    units: new Map<string, number>(),
    /** The latest slot at which pots were read. */
    slot: opened,
    /** Looks since something was last signed or settled. */
    looks: 0,
  };
}

const FIRST_PAUSE = 50;

/**
 * Milliseconds until the next look, doubled with each that shows nothing new: what was sent together is final together,
 * but for what was lost.
 */
export function pauseBeforeLook({ looks }: Pick<PayingMemory, 'looks'>, longest: number): number {
  return Math.min(longest, FIRST_PAUSE * 2 ** looks);
}

export interface Paying {
  readonly token: DistributedToken;
  readonly run: AllottedRun;
  readonly state: DistributionRunState;
  readonly book: PaymentBook;
  readonly memory: PayingMemory;
  /** The links of the run: of what is signed with its keys, only these and payments are its own. */
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
