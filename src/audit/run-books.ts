/** What the service says of one run: what its ledger files, its page and its log hold. The audit believes none of it. */

export type Asset = 'sol' | 'token';

export interface BookedRecord {
  readonly kind: 'costs' | 'developer' | 'holder' | 'debt';
  readonly owner: string;
  readonly share: bigint;
  readonly owedBefore: bigint;
  readonly planned: bigint;
  readonly paidBefore: bigint;
}

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
  /** Of the till that it made, from 0. */
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

export interface RunBooks {
  readonly runId: string;
  readonly asset: Asset;
  /** Undefined while the run is open. */
  readonly amounts: BookedAmounts | undefined;
  readonly records: readonly BookedRecord[];
  readonly pots: readonly BookedPot[];
  readonly batches: readonly BookedBatch[];
  /** Undefined in books that tell of payments alone. */
  readonly steps?: BookedSteps;
}

export interface TokenBooks {
  readonly mint: string;
  /** The distribution wallet, which owns till, pots and the token's account. */
  readonly wallet: string;
  /** Pays fees and lends rents. */
  readonly distributor: string;
  readonly marker: string;
  /** The oldest first. */
  readonly runs: readonly RunBooks[];
  /** In the order of their numbers. */
  readonly links: readonly BookedLink[];
  /** What is owed and could not be divided after the last closed run. Lamports. */
  readonly inTill: bigint;
  /** The same of the token, with what is kept: base units in the wallet's own account. */
  readonly inAccount: bigint;
}
