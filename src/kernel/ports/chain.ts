/**
 * What the service asks of a Solana node. Amounts are lamports. Every call rejects with `ChainUnavailable` when the
 * node does not answer in time, and with `ChainAnswerInvalid` when its answer makes no sense; neither says anything
 * about what happened on the chain.
 *
 * `atLeastSlot` is a promise: the answer shows that slot or a later one, or the call rejects with `ChainBehind`. The
 * adapter compares the slot that the answer itself names, since nodes and caches before them may ignore what they were
 * asked for. An answer that names no slot where it should is a `ChainAnswerInvalid`. Without `atLeastSlot` an answer may
 * be as old as the node likes; several nodes of one cluster never answer from before what another has shown.
 */

/** Certainty of a block: executed and voted for, or irreversible. */
export type Commitment = 'confirmed' | 'finalized';

export interface ChainAccount {
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** Accounts as one slot showed them. */
export interface AccountsAtSlot {
  readonly slot: bigint;
  /** In the order of the addresses; undefined where there is none. */
  readonly accounts: readonly (ChainAccount | undefined)[];
}

export interface TokenAccountPage {
  /** The slot that the page shows; the pages of one scan may show different ones. */
  readonly slot: bigint;
  /** The data begin at the account's first byte and hold its extensions. */
  readonly accounts: readonly { readonly address: string; readonly account: ChainAccount }[];
  /** For `after` of the next page; undefined on the last one. A page may be empty and still not be the last. */
  readonly next: string | undefined;
}

export interface SignatureStatus {
  readonly slot: number;
  /** The chain's error as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  readonly commitment: 'processed' | Commitment;
}

export interface LandedTransaction {
  readonly slot: number;
  readonly wire: Uint8Array;
  /** The lamports that its payer was charged for it. */
  readonly fee: bigint;
  /** The chain's error as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  readonly logs: readonly string[];
  /** Balance of each token account that its message names right after it, in base units; undefined if the node stores none. */
  readonly tokensAfter?: ReadonlyMap<string, bigint> | undefined;
}

/** A transaction as an account's history lists it. */
export interface HistoryEntry {
  readonly signature: string;
  readonly slot: number;
  /** The chain's error as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  /** The texts of its memos as the node gives them; undefined if it has none, or if the node keeps none. */
  readonly memo: string | undefined;
  /** Seconds since 1970; undefined where the node does not know. */
  readonly blockTime: number | undefined;
}

export interface RecentBlockhash {
  readonly blockhash: string;
  /** No block above this height can contain a transaction with this blockhash. */
  readonly lastValidBlockHeight: bigint;
}

export interface ChainTip {
  readonly slot: bigint;
  /** The number of blocks up to the slot; fewer than slots, since some slots are skipped. */
  readonly blockHeight: bigint;
}

export interface Simulation {
  /** The slot whose accounts it was simulated on. */
  readonly slot: bigint;
  readonly error: string | undefined;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
}

export interface Chain {
  genesisHash(): Promise<string>;
  /** Valid for about 150 blocks; for fewer, if the node is behind. */
  recentBlockhash(): Promise<RecentBlockhash>;
  /** The latest slot of this commitment that the node has. */
  tip(commitment: Commitment): Promise<ChainTip>;
  /** The length of a slot as the last minutes show it; undefined while the chain is too young to tell. */
  slotMilliseconds(): Promise<number | undefined>;
  /** The current slot leader: an account with lamports, since it pays for its votes. */
  slotLeader(): Promise<string>;
  /** The epoch in which transactions are executed now, or were where the node is. */
  epoch(): Promise<bigint>;
  /**
   * The accounts in the order of the addresses; undefined where the node shows none. With `atLeastSlot` an account that
   * existed at that slot and is not shown was closed since, unless the node leaves it out: before that is acted on, it is
   * looked at again.
   */
  accounts(
    addresses: readonly string[],
    commitment: Commitment,
    options?: { readonly atLeastSlot?: bigint },
  ): Promise<readonly (ChainAccount | undefined)[]>;
  /**
   * Up to 100 accounts, all as the same slot showed them; otherwise as `accounts`. With `elsewhere`, by another node than
   * the one that answered last, where there are several. With `mostData`, no more than so many of the first bytes of each:
   * large accounts cannot slow down a read of many.
   */
  accountsAt(
    addresses: readonly string[],
    commitment: Commitment,
    options?: { readonly atLeastSlot?: bigint; readonly elsewhere?: boolean; readonly mostData?: number },
  ): Promise<AccountsAtSlot>;
  /**
   * The token accounts of a Token-2022 mint, page by page, as finalized. Accounts that change between two pages may be
   * on both or on none of them: read again, with `changedSinceSlot` of the first page's slot, what was written after
   * that slot. Such an answer holds at least every account written later, but never those that were closed. With
   * `inOneAnswer`, all pages are parts of one answer of one slot; a node that gives none rejects.
   *
   * No page shows a slot before `atLeastSlot`, before `changedSinceSlot`, or before the first page of its scan. A node that
   * names no slot with its pages is asked for its slot before each: behind one address two calls may meet two nodes, so
   * that such a page may be older than its slot says. Nothing here proves that a page is complete.
   */
  tokenAccounts(
    mint: string,
    options?: {
      readonly after?: string;
      readonly changedSinceSlot?: bigint;
      readonly atLeastSlot?: bigint;
      readonly inOneAnswer?: boolean;
    },
  ): Promise<TokenAccountPage>;
  /** At `confirmed`; 0 where the node shows no account. */
  balance(address: string): Promise<bigint>;
  /** The lamports that an account of this size must hold to be exempt from rent. */
  rentExemption(byteLength: number): Promise<bigint>;
  /** Micro-lamports per compute unit that recent transactions on these writable accounts paid, one value per slot. */
  recentPrices(writable: readonly string[]): Promise<readonly bigint[]>;
  /**
   * Runs on the accounts of a confirmed slot. Does not check signatures. With `anyBlockhash`, does not check the blockhash
   * either. With `atLeastSlot`, an error is not one of before that slot.
   */
  simulate(
    wire: Uint8Array,
    options?: { readonly anyBlockhash?: boolean; readonly atLeastSlot?: bigint },
  ): Promise<Simulation>;
  /**
   * Hands the signed bytes to the node, without a preflight simulation. Only the chain shows whether they land; it is
   * no error here if the node refuses them (it already knows them, the nonce is spent).
   */
  send(wire: Uint8Array): Promise<void>;
  /** In the order of the signatures; undefined if this node does not know the signature, which proves nothing. */
  statuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | undefined)[]>;
  /**
   * Transactions that name the address, newest first, strictly before `before` and strictly after `until`. A node that
   * does not know `before` gives an empty list. The answer names no slot of its own: with `atLeastSlot` the node is asked
   * for its slot before, and the call rejects with `ChainBehind` while that is earlier. Behind one address two calls may
   * meet two nodes, and a node's index may be behind its accounts: what is listed has landed, but what is not listed
   * proves an absence only together with accounts that a landing would have changed.
   */
  signaturesOf(
    address: string,
    options: {
      readonly before?: string;
      readonly until?: string;
      readonly limit: number;
      readonly commitment: Commitment;
      readonly atLeastSlot?: bigint;
    },
  ): Promise<readonly HistoryEntry[]>;
  /** Undefined if this node does not have it, which proves nothing. */
  transaction(signature: string, commitment: Commitment): Promise<LandedTransaction | undefined>;
  /** Requests free lamports from a local or test chain; resolves when they have arrived. */
  airdrop(address: string, lamports: bigint): Promise<void>;
}

export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable';
}

/** The node's answer is older than requested, or than an answer of another node. */
export class ChainBehind extends ChainUnavailable {}

/** The node has enough of us for now. */
export class ChainBusy extends ChainUnavailable {
  /** Milliseconds after which it wants to be asked again, where it says so. */
  readonly askAfter: number | undefined;

  constructor(message: string, askAfter?: number) {
    super(message);
    this.askAfter = askAfter;
  }
}

export class ChainAnswerInvalid extends Error {
  override readonly name = 'ChainAnswerInvalid';
}
