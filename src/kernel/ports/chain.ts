/**
 * Functions of a Solana node that the service uses. Amounts are lamports. Every call rejects with `ChainUnavailable` if the
 * node does not respond in time, and with `ChainAnswerInvalid` if its response is invalid; neither reveals what happened on
 * the chain.
 *
 * `atLeastSlot` is guaranteed: the response is from that slot or a later one, or the call rejects with `ChainBehind`. The
 * adapter checks the slot in the response itself, since nodes and caches in front of them may ignore the request's slot. A
 * response that lacks a required slot is a `ChainAnswerInvalid`. Without `atLeastSlot`, a response may be arbitrarily old;
 * but several nodes of one cluster never respond from before a slot that another has returned.
 */

/** Certainty of a block: executed and voted for, or irreversible. */
export type Commitment = 'confirmed' | 'finalized';

export interface ChainAccount {
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

export interface AccountsAtSlot {
  readonly slot: bigint;
  /** In the order of the addresses; undefined for accounts that do not exist. */
  readonly accounts: readonly (ChainAccount | undefined)[];
}

export interface TokenAccountPage {
  /** Slot of the page; pages of one scan may have different ones. */
  readonly slot: bigint;
  /** Data begins at the account's first byte and includes its extensions. */
  readonly accounts: readonly { readonly address: string; readonly account: ChainAccount }[];
  /** `after` of the next page; undefined on the last page. An empty page is not necessarily the last. */
  readonly next: string | undefined;
}

export interface SignatureStatus {
  readonly slot: number;
  /** Error of the chain as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  readonly commitment: 'processed' | Commitment;
}

export interface LandedTransaction {
  readonly slot: number;
  readonly wire: Uint8Array;
  /** Lamports charged to the payer. */
  readonly fee: bigint;
  /** Error of the chain as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  readonly logs: readonly string[];
  /**
   * Balances in base units of the token accounts in the message, right after the transaction; undefined if the node stores
   * none.
   */
  readonly tokensAfter?: ReadonlyMap<string, bigint> | undefined;
}

export interface HistoryEntry {
  readonly signature: string;
  readonly slot: number;
  /** Error of the chain as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  /** Texts of the memos as returned by the node; undefined without memos, or if the node stores none. */
  readonly memo: string | undefined;
  /** Seconds since 1970; undefined if the node does not have it. */
  readonly blockTime: number | undefined;
}

export interface RecentBlockhash {
  readonly blockhash: string;
  /** Maximum height of a block that can contain a transaction with this blockhash. */
  readonly lastValidBlockHeight: bigint;
}

export interface ChainTip {
  readonly slot: bigint;
  /** Number of blocks up to the slot; less than the number of slots, since some slots are skipped. */
  readonly blockHeight: bigint;
}

export interface Simulation {
  /** Slot of the accounts used in the simulation. */
  readonly slot: bigint;
  readonly error: string | undefined;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
}

export interface Chain {
  genesisHash(): Promise<string>;
  /** Blockhash that is valid for about 150 blocks, or fewer if the node is behind. */
  recentBlockhash(): Promise<RecentBlockhash>;
  /** Latest slot of this commitment that the node has. */
  tip(commitment: Commitment): Promise<ChainTip>;
  /** Average length of a slot in the last minutes; undefined while the chain is too young. */
  slotMilliseconds(): Promise<number | undefined>;
  /** Current slot leader: an account with lamports, since it pays for its votes. */
  slotLeader(): Promise<string>;
  /** Current epoch of the chain; if the node is behind, the epoch of its slot. */
  epoch(): Promise<bigint>;
  /** First slot whose transactions the node still stores. */
  firstSlot(): Promise<bigint>;
  /**
   * Accounts in the order of the addresses; undefined if the node does not return one. With `atLeastSlot`, an account that
   * existed at that slot is missing because it was closed since, or because the node omits it. So read it again before acting
   * on its absence.
   */
  accounts(
    addresses: readonly string[],
    commitment: Commitment,
    options?: { readonly atLeastSlot?: bigint },
  ): Promise<readonly (ChainAccount | undefined)[]>;
  /**
   * Reads up to 100 accounts, all at the same slot; otherwise like `accounts`. `elsewhere` uses another node than the last
   * response, if there are several. `maxData` limits the bytes of each account, so that large accounts cannot slow down a
   * read of many.
   */
  accountsAt(
    addresses: readonly string[],
    commitment: Commitment,
    options?: { readonly atLeastSlot?: bigint; readonly elsewhere?: boolean; readonly maxData?: number },
  ): Promise<AccountsAtSlot>;
  /**
   * Token accounts of a Token-2022 mint, page by page, as finalized. An account that changes between two pages may be on both
   * or on none of them. So read the accounts that were written after the first page's slot again, with `changedSinceSlot`. That
   * response contains at least all accounts written later, but no closed accounts. With `inOneAnswer`, all pages are parts of
   * one response from one slot; a node that cannot do this rejects.
   *
   * No page is from before `atLeastSlot`, `changedSinceSlot`, or the first page of its scan. If a node returns no slot with
   * its pages, its slot is read before each page. Behind one address, two calls may reach two nodes, so such a page may be
   * older than its slot. None of this proves that a page is complete.
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
  /** Lamports at `confirmed`; 0 if the node returns no account. */
  balance(address: string): Promise<bigint>;
  /** Lamports that exempt an account of this size from rent. */
  rentExemption(byteLength: number): Promise<bigint>;
  /** Micro-lamports per compute unit paid by recent transactions on these writable accounts, one value per slot. */
  recentPrices(writable: readonly string[]): Promise<readonly bigint[]>;
  /**
   * Runs on the accounts of a confirmed slot. Does not check signatures, nor, with `anyBlockhash`, the blockhash. With
   * `atLeastSlot`, errors are from that slot or later.
   */
  simulate(
    wire: Uint8Array,
    options?: { readonly anyBlockhash?: boolean; readonly atLeastSlot?: bigint },
  ): Promise<Simulation>;
  /**
   * Sends the signed bytes to the node, without a preflight simulation. Only the chain shows whether they land; a rejection
   * by the node is no error here (the node already has the bytes, the nonce is spent).
   */
  send(wire: Uint8Array): Promise<void>;
  /** In the order of the signatures; undefined if this node does not have the signature, which proves nothing. */
  statuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | undefined)[]>;
  /**
   * Transactions that mention the address, newest first, strictly before `before` and strictly after `until`. A node without
   * `before` returns an empty list. The response contains no slot, so with `atLeastSlot` the node's slot is read first. The
   * call rejects with `ChainBehind` while that slot is earlier. Listed transactions have landed. A missing one may still have
   * landed, because two calls to one address may reach two nodes, and a node's index may be behind its accounts. So absence is
   * proved only together with the accounts that the transaction would have changed.
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
  /** Undefined if this node does not have the transaction, which proves nothing. */
  transaction(signature: string, commitment: Commitment): Promise<LandedTransaction | undefined>;
  /** Requests free lamports from a local or test chain; resolves when they have arrived. */
  airdrop(address: string, lamports: bigint): Promise<void>;
}

export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable';
}

/** The node's response is older than required, or than another node's response. */
export class ChainBehind extends ChainUnavailable {}

/** The node limits the rate of requests. */
export class ChainBusy extends ChainUnavailable {
  /** Milliseconds until the next request, if the node states them. */
  readonly askAfter: number | undefined;

  constructor(message: string, askAfter?: number) {
    super(message);
    this.askAfter = askAfter;
  }
}

export class ChainAnswerInvalid extends Error {
  override readonly name = 'ChainAnswerInvalid';
}
