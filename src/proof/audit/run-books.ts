/** What the service says of one run: what its ledger files, its page and its log hold. The audit believes none of it. */

import type { Asset, BookedRecord, RecordList } from './booked-record.ts';
import type { AllotmentOfRun } from './ledger-files.ts';

export type { Asset, BookedRecord, RecordList };

export interface BookedPot {
  readonly asset: Asset;
  readonly address: string;
  readonly delegate: string;
  readonly allowance: bigint;
}

export interface BookedPayment {
  /** Its record's place in the ledger. */
  readonly record: number;
  readonly amount: bigint;
}

/** A transaction that paid, with everybody whom it paid. */
export interface BookedBatch {
  readonly pot: string;
  readonly signature: string;
  readonly payments: readonly BookedPayment[];
}

/** The books name the till, the transaction or both. */
export interface BookedLink {
  /** The number of the till that it made, from 0. */
  readonly number: number;
  readonly till?: string;
  readonly signature?: string;
  readonly burned: bigint;
}

/** Signatures of what a run did before it paid, in their order. */
export interface BookedSteps {
  readonly withdraw: readonly string[];
  readonly split: readonly string[];
  readonly open: readonly string[];
}

/** Both sides of every equation of a run; buckets are summed. */
export interface BookedAmounts {
  readonly kept: bigint;
  readonly collected: bigint;
  readonly burned: bigint;
  readonly sold: bigint;
  readonly keptAfter: bigint;
  readonly proceeds: bigint;
  readonly costs: bigint;
  readonly developer: bigint;
  readonly holders: bigint;
  readonly dust: bigint;
  readonly dustAfter: bigint;
  readonly shares: bigint;
  readonly owed: bigint;
  readonly owedAfter: bigint;
  readonly planned: bigint;
  readonly paid: bigint;
  /** In the other asset. */
  readonly paidDebts: bigint;
}

/** What a run paid in its own asset, by what it was paid for. */
export interface BookedPaidTo {
  readonly costs: bigint;
  readonly developer: bigint;
  readonly holders: bigint;
  /** How many holders were paid. */
  readonly holdersPaid: bigint;
}

/** What is known of a run without its ledger. */
export interface RunOutline {
  readonly runId: string;
  readonly asset: Asset;
  /** Undefined while the run is open. */
  readonly amounts: BookedAmounts | undefined;
  /** Absent while the run is open. */
  readonly paidTo?: BookedPaidTo;
  readonly pots: readonly BookedPot[];
  /** Undefined in books of payments alone. */
  readonly steps?: BookedSteps;
  /** What the run was bound to when it was opened; undefined where the books do not say. */
  readonly pinned?: PinnedTerms;
  /** What the first scan of the run adds up to, as the log says; absent where the books do not say. */
  readonly scan?: unknown;
}

/** Settings of the creator by which the holders' part is divided. */
export interface PinnedTerms {
  readonly model: string;
  readonly minimumHolding: bigint;
}

export interface RunBooks<Records extends RecordList = readonly BookedRecord[]> extends RunOutline {
  readonly records: Records;
  readonly batches: readonly BookedBatch[];
  /** The ledger's file; undefined in books of payments alone, or of a run that allotted nothing. */
  readonly allotment?: AllotmentOfRun;
}

/** A run whose ledger has been read. */
export type ReadRun = RunBooks<RecordList>;

export interface TokenBooks<Run extends RunOutline = RunBooks> {
  readonly mint: string;
  /** The distribution wallet, which owns till, pots and the token's account. */
  readonly wallet: string;
  /** Pays fees and lends rents; empty where only the chain says who that is. */
  readonly distributor: string;
  readonly marker: string;
  /** The oldest first. */
  readonly runs: readonly Run[];
  /** In the order of their numbers. */
  readonly links: readonly BookedLink[];
  /** What is owed and could not be divided after the last closed run. Lamports. */
  readonly inTill: bigint;
  /** The same of the token, with what is kept: base units in the wallet's own account. */
  readonly inAccount: bigint;
  /** Asked once the chain has shown more links than these. Absent where these are all that may be there. */
  readonly later?: () => Promise<LaterLinks>;
}

/** What the log has by now of runs that are not closed in the books. */
export interface LaterLinks {
  /** By the till that each makes. Recorded before the wallet signed them, so that not all have landed. */
  readonly links: ReadonlyMap<string, BookedLink>;
  readonly pots: readonly BookedPot[];
}

/** The books of a token as an audit reads them: one run's ledger at a time. */
export interface UnreadBooks extends TokenBooks<RunOutline> {
  /** Throws `LedgerFileInvalid` where a file is missing, or not what the books say. */
  read(run: number): Promise<ReadRun>;
}
