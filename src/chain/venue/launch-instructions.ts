/** The instructions of the transaction that launches a token, and the accounts that its creator pays for. */
import type { Instruction } from 'levy-solana-wire';
import { launchAddresses } from './addresses.ts';
import { POOL_SIZE, POSITION_SIZE } from './venue-accounts.ts';
import { initializePool, lockLiquidity, wrapOneLamport } from './venue-instructions.ts';

/** Addresses in base58. */
export interface LaunchInput {
  /** Pays for everything, gives the tokens and owns the position, so the trading fees go to the creator. */
  readonly creator: string;
  readonly mint: string;
  readonly positionMint: string;
  /** Square roots of lamports per base unit, Q64.64; the minimum is the starting price. */
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly liquidity: bigint;
}

/** Wrapped SOL that the venue requires the creator to hold, although none is put in. */
export const LAUNCH_LAMPORTS = 1n;

/** Bytes of the accounts that every launch creates; the creator pays their rent. */
export const LAUNCH_ACCOUNT_SIZES = {
  pool: POOL_SIZE,
  position: POSITION_SIZE,
  /** Includes the metadata that the program writes into it. */
  positionMint: 465,
  positionTokenAccount: 165,
  /** An account without a fixed owner, of a token with a transfer fee. */
  tokenVault: 178,
  solVault: 165,
} as const;
/** Created unless it exists; the creator can close it afterwards. */
export const WRAPPED_SOL_ACCOUNT_SIZE = 165;

/**
 * The instructions after the price. The pool is created with all its liquidity and locked at once, so the creator can
 * never take it out. The same input gives the same bytes. Throws a TypeError for an invalid address and a RangeError
 * for a number that its field cannot hold.
 */
export function launchInstructions(launch: LaunchInput): readonly Instruction[] {
  const addresses = launchAddresses(launch);
  return [
    ...wrapOneLamport(launch.creator, addresses.creatorSolAccount),
    initializePool({ ...launch, addresses }),
    lockLiquidity({ ...launch, addresses }),
  ];
}
