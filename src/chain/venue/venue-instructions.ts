/**
 * The venue's instructions for a launch and for a sale, and the instructions that wrap the lamport of SOL that a launch requires.
 * They are encoded by hand, because neither web3.js nor spl-token supports the venue's program. Tests compare them with the
 * venue's own SDK.
 */

import {
  createAssociatedTokenAccountIdempotentInstruction,
  createSyncNativeInstruction,
} from '@solana/spl-token';
import {
  type Instruction,
  joined,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  unsigned,
} from 'levy-solana-wire';
import { readonly, writable } from '../account-meta.ts';
import { transferInstruction } from '../system-instructions.ts';
import { tokenInstruction } from '../web3-instruction.ts';
import {
  EVENT_AUTHORITY,
  type LaunchAddresses,
  launchAddresses,
  POOL_AUTHORITY,
  VENUE_PROGRAM,
} from './addresses.ts';
import { POOL_SIZE, POSITION_SIZE } from './venue-accounts.ts';

const INITIALIZE_CUSTOMIZABLE_POOL = Uint8Array.of(20, 161, 241, 24, 189, 221, 180, 2);
const PERMANENT_LOCK_POSITION = Uint8Array.of(165, 176, 125, 6, 231, 171, 186, 213);
const SWAP = Uint8Array.of(65, 75, 63, 76, 235, 91, 91, 136);
const EXACT_INPUT = 0;

/** Trading fee in billionths: one percent. The creator receives the part that the venue does not keep. */
const TRADING_FEE = 10_000_000n;
/** Bytes of a base fee: the fee, then the schedule of its changes. */
const BASE_FEE_SIZE = 27;
const ACTIVATED_BY_TIMESTAMP = 1;
/** Fees are taken in the pool's quote token (SOL). */
const FEES_IN_SOL = 1;

/** Addresses in base58. */
interface LaunchInput {
  /** Pays all costs, supplies the tokens and owns the position, and therefore receives the trading fees. */
  readonly creator: string;
  readonly mint: string;
  readonly positionMint: string;
  /** Square roots of lamports per base unit, Q64.64; the minimum is the starting price. */
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly liquidity: bigint;
}

/** Lamports of wrapped SOL that the venue requires the creator to hold, although none are deposited. */
export const LAUNCH_LAMPORTS = 1n;

/** Sizes in bytes of the accounts that every launch creates; the creator pays their rent. */
export const LAUNCH_ACCOUNT_SIZES = {
  pool: POOL_SIZE,
  position: POSITION_SIZE,
  /** Includes the metadata that the program writes into it. */
  positionMint: 465,
  positionTokenAccount: 165,
  /** Account without a fixed owner, of a token with a transfer fee. */
  tokenVault: 178,
  solVault: 165,
} as const;
/** Size in bytes of an account that is created if absent; the creator can close it afterwards. */
export const WRAPPED_SOL_ACCOUNT_SIZE = 165;

/**
 * Instructions after the price. The pool is created with all its liquidity, which is locked immediately, so that the creator can
 * never withdraw it. Deterministic. Throws a TypeError for an invalid address and a RangeError for a number that its field cannot
 * hold.
 */
export function launchInstructions(launch: LaunchInput): readonly Instruction[] {
  const addresses = launchAddresses(launch);
  return [
    ...wrapOneLamport(launch.creator, addresses.creatorSolAccount),
    initializePool(launch, addresses),
    lockLiquidity(launch, addresses),
  ];
}

/** Creates the pool, which is open to buyers as soon as the transaction lands. */
function initializePool(launch: LaunchInput, addresses: LaunchAddresses): Instruction {
  const { creator, mint, positionMint } = launch;
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
      readonly(NATIVE_MINT),
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
      unsigned128(launch.sqrtMinPrice),
      unsigned128(launch.sqrtMaxPrice),
      Uint8Array.of(noAlphaVault),
      unsigned128(launch.liquidity),
      unsigned128(launch.sqrtMinPrice),
      Uint8Array.of(ACTIVATED_BY_TIMESTAMP, FEES_IN_SOL, noActivationPoint),
    ]),
  };
}

/** Locks the liquidity permanently. */
function lockLiquidity({ creator, liquidity }: LaunchInput, addresses: LaunchAddresses): Instruction {
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
 * Sells tokens into the pool for wrapped SOL. `gross` base units leave the seller's account, including their tax; the instruction
 * fails if it yields less than `minimum` lamports.
 */
export function sellTokens(sale: {
  readonly seller: string;
  readonly mint: string;
  readonly vaults: Pick<LaunchAddresses, 'pool' | 'tokenVault' | 'solVault'>;
  readonly tokenAccount: string;
  /** Wrapped-SOL account, of any owner. */
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
      readonly(NATIVE_MINT),
      { address: seller, signer: true, writable: false },
      readonly(TOKEN_2022_PROGRAM),
      readonly(TOKEN_PROGRAM),
      // The venue's own address stands for "no referrer".
      readonly(VENUE_PROGRAM),
      readonly(EVENT_AUTHORITY),
      readonly(VENUE_PROGRAM),
    ],
    data: joined([SWAP, unsigned(gross, 8), unsigned(minimum, 8), Uint8Array.of(EXACT_INPUT)]),
  };
}

/** The venue requires the creator to hold one base unit of either token, even if none is deposited. */
function wrapOneLamport(wallet: string, solAccount: string): Instruction[] {
  return [
    tokenInstruction(
      createAssociatedTokenAccountIdempotentInstruction,
      wallet,
      solAccount,
      wallet,
      NATIVE_MINT,
    ),
    transferInstruction({ from: wallet, to: solAccount, lamports: 1n }),
    tokenInstruction(createSyncNativeInstruction, solAccount),
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
