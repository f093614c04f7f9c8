/**
 * What the service asks of a Solana node. Amounts are lamports. Every call rejects with `ChainUnavailable` when the
 * node does not answer in time, and with `ChainAnswerInvalid` when what it answers makes no sense: neither says
 * anything about what happened on the chain.
 */

/** How sure the chain is: executed and voted for, or beyond recall. */
export type Commitment = 'confirmed' | 'finalized';

export interface ChainAccount {
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

export interface SignatureStatus {
  readonly slot: number;
  /** The chain's error as JSON text; undefined if the transaction did what it should. */
  readonly error: string | undefined;
  readonly commitment: 'processed' | Commitment;
}

export interface LandedTransaction {
  readonly slot: number;
  readonly wire: Uint8Array;
  /** The chain's error as JSON text; undefined if the transaction did what it should. */
  readonly error: string | undefined;
  readonly logs: readonly string[];
}

export interface RecentBlockhash {
  readonly blockhash: string;
  /** A transaction that carries it is in no block above this height. */
  readonly lastValidBlockHeight: bigint;
}

export interface ChainTip {
  readonly slot: bigint;
  /** How many blocks there are up to the slot: fewer than slots, since some are skipped. */
  readonly blockHeight: bigint;
}

export interface Simulation {
  readonly error: string | undefined;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
}

export interface Chain {
  genesisHash(): Promise<string>;
  /** Good for about 150 blocks. */
  recentBlockhash(): Promise<RecentBlockhash>;
  /** The latest slot of this commitment. */
  tip(commitment: Commitment): Promise<ChainTip>;
  /** The epoch that transactions are executed in now. */
  epoch(): Promise<bigint>;
  /**
   * In the order of the addresses; undefined where there is no account. A node may be behind what another one has said:
   * with `atLeastSlot` it answers from that slot or a later one, or rejects with `ChainUnavailable`, so that absence
   * means something.
   */
  accounts(
    addresses: readonly string[],
    commitment: Commitment,
    options?: { readonly atLeastSlot?: bigint },
  ): Promise<readonly (ChainAccount | undefined)[]>;
  balance(address: string): Promise<bigint>;
  /** The lamports that an account of this size has to hold to stay. */
  rentExemption(byteLength: number): Promise<bigint>;
  /** Micro-lamports per compute unit that recent transactions on these writable accounts paid, one figure a slot. */
  recentPrices(writable: readonly string[]): Promise<readonly bigint[]>;
  /** Signatures are not looked at. With `anyBlockhash`, neither is the blockhash. */
  simulate(wire: Uint8Array, options?: { readonly anyBlockhash?: boolean }): Promise<Simulation>;
  /**
   * Hands the signed bytes to the node, without a simulation first. Whether they land, only the chain tells; a node
   * that refuses them (it knows them already, the nonce is spent) is no error here.
   */
  send(wire: Uint8Array): Promise<void>;
  /** In the order of the signatures; undefined where this node knows nothing, which proves nothing. */
  statuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | undefined)[]>;
  /** Signatures of transactions that name the address, newest first, strictly before `before`. */
  signaturesOf(
    address: string,
    options: { readonly before?: string; readonly limit: number; readonly commitment: Commitment },
  ): Promise<readonly string[]>;
  transaction(signature: string, commitment: Commitment): Promise<LandedTransaction | undefined>;
  /** Asks the chain for free lamports, as local and test chains give them; resolves when they are there. */
  airdrop(address: string, lamports: bigint): Promise<void>;
}

export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable';
}

export class ChainAnswerInvalid extends Error {
  override readonly name = 'ChainAnswerInvalid';
}
