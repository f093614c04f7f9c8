/**
 * The venue's instructions for a launch and for a sale, written by hand because neither web3.js nor spl-token knows its
 * program, and those that wrap the lamport of SOL that a launch requires. Tests compare them with the venue's own SDK.
 */

import type { Instruction } from 'levy-solana-wire';
import { joined, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, unsigned } from 'levy-solana-wire';
import { readonly, writable } from '../account-meta.ts';
import { transferInstruction } from '../system-instructions.ts';
import { createSolAccountIfAbsent, syncNative } from '../wrapped-sol-instructions.ts';
import {
  EVENT_AUTHORITY,
  type LaunchAddresses,
  POOL_AUTHORITY,
  VENUE_PROGRAM,
  WRAPPED_SOL_MINT,
} from './addresses.ts';

const INITIALIZE_CUSTOMIZABLE_POOL = Uint8Array.of(20, 161, 241, 24, 189, 221, 180, 2);
const PERMANENT_LOCK_POSITION = Uint8Array.of(165, 176, 125, 6, 231, 171, 186, 213);
const SWAP = Uint8Array.of(65, 75, 63, 76, 235, 91, 91, 136);
const EXACT_INPUT = 0;

/** The trading fee in billionths: one percent. The creator gets what the venue leaves. */
const TRADING_FEE = 10_000_000n;
/** A base fee is 27 bytes: the fee, then the steps in which it would change. */
const BASE_FEE_SIZE = 27;
const ACTIVATED_BY_TIMESTAMP = 1;
/** The pool's quote token (SOL). */
const FEES_IN_SOL = 1;

/** The pool is open to buyers as soon as it lands. */
export function initializePool(pool: {
  readonly creator: string;
  readonly mint: string;
  readonly positionMint: string;
  readonly addresses: LaunchAddresses;
  /** Also the starting price. */
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly liquidity: bigint;
}): Instruction {
  const { creator, mint, positionMint, addresses } = pool;
  const noDynamicFee = 0;
  const noAlphaVault = 0;
  const noActivationPoint = 0;
  return {
    program: VENUE_PROGRAM,
    accounts: [
      readonly(creator),
      { address: positionMint, signer: true, writable: true },
      writable(addresses.positionTokenAccount),
      { address: creator, signer: true, writable: true },
      readonly(POOL_AUTHORITY),
      writable(addresses.pool),
      writable(addresses.position),
      readonly(mint),
      readonly(WRAPPED_SOL_MINT),
      writable(addresses.tokenVault),
      writable(addresses.solVault),
      writable(addresses.creatorTokenAccount),
      writable(addresses.creatorSolAccount),
      readonly(TOKEN_2022_PROGRAM),
      readonly(TOKEN_PROGRAM),
      readonly(TOKEN_2022_PROGRAM),
      readonly(SYSTEM_PROGRAM),
      readonly(EVENT_AUTHORITY),
      readonly(VENUE_PROGRAM),
    ],
    data: joined([
      INITIALIZE_CUSTOMIZABLE_POOL,
      constantFee(),
      unsigned(0, 2),
      Uint8Array.of(0, noDynamicFee),
      unsigned128(pool.sqrtMinPrice),
      unsigned128(pool.sqrtMaxPrice),
      Uint8Array.of(noAlphaVault),
      unsigned128(pool.liquidity),
      unsigned128(pool.sqrtMinPrice),
      Uint8Array.of(ACTIVATED_BY_TIMESTAMP, FEES_IN_SOL, noActivationPoint),
    ]),
  };
}

/** Nobody can ever take the liquidity out again. */
export function lockLiquidity(lock: {
  readonly creator: string;
  readonly addresses: LaunchAddresses;
  readonly liquidity: bigint;
}): Instruction {
  const { creator, addresses, liquidity } = lock;
  return {
    program: VENUE_PROGRAM,
    accounts: [
      writable(addresses.pool),
      writable(addresses.position),
      readonly(addresses.positionTokenAccount),
      { address: creator, signer: true, writable: false },
      readonly(EVENT_AUTHORITY),
      readonly(VENUE_PROGRAM),
    ],
    data: joined([PERMANENT_LOCK_POSITION, unsigned128(liquidity)]),
  };
}

/**
 * Sells tokens into the pool for wrapped SOL. `gross` base units leave the seller's account, its own tax among them; the
 * instruction fails if less than `minimum` lamports come back.
 */
export function sellTokens(sale: {
  readonly seller: string;
  readonly mint: string;
  readonly vaults: Pick<LaunchAddresses, 'pool' | 'tokenVault' | 'solVault'>;
  readonly tokenAccount: string;
  /** A token account of wrapped SOL, of any owner. */
  readonly solAccount: string;
  readonly gross: bigint;
  readonly minimum: bigint;
}): Instruction {
  const { seller, mint, vaults, tokenAccount, solAccount, gross, minimum } = sale;
  return {
    program: VENUE_PROGRAM,
    accounts: [
      readonly(POOL_AUTHORITY),
      writable(vaults.pool),
      writable(tokenAccount),
      writable(solAccount),
      writable(vaults.tokenVault),
      writable(vaults.solVault),
      readonly(mint),
      readonly(WRAPPED_SOL_MINT),
      { address: seller, signer: true, writable: false },
      readonly(TOKEN_2022_PROGRAM),
      readonly(TOKEN_PROGRAM),
      // The venue's own address stands for a referrer that there is none of.
      readonly(VENUE_PROGRAM),
      readonly(EVENT_AUTHORITY),
      readonly(VENUE_PROGRAM),
    ],
    data: joined([SWAP, unsigned(gross, 8), unsigned(minimum, 8), Uint8Array.of(EXACT_INPUT)]),
  };
}

/** The venue requires one base unit of either token as proof of owning it, even where none is put in. */
export function wrapOneLamport(wallet: string, solAccount: string): Instruction[] {
  return [
    createSolAccountIfAbsent({ payer: wallet, tokenAccount: solAccount, owner: wallet }),
    transferInstruction({ from: wallet, to: solAccount, lamports: 1n }),
    syncNative(solAccount),
  ];
}

function constantFee(): Uint8Array {
  const fee = new Uint8Array(BASE_FEE_SIZE);
  fee.set(unsigned(TRADING_FEE, 8));
  return fee;
}

/** Little-endian; throws a RangeError if the value does not fit. */
function unsigned128(value: bigint): Uint8Array {
  return joined([unsigned(value & 0xffff_ffff_ffff_ffffn, 8), unsigned(value >> 64n, 8)]);
}
