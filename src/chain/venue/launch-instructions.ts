/** What a transaction has to hold that puts a token up for sale, and the accounts that it makes at its creator's cost. */
import type { Instruction } from 'levy-solana-wire';
import { launchAddresses } from './addresses.ts';
import { POOL_SIZE, POSITION_SIZE } from './venue-accounts.ts';
import { initializePool, lockLiquidity, wrapOneLamport } from './venue-instructions.ts';

/** Addresses in base58. */
export interface LaunchInput {
  /** Pays for everything, gives the tokens, and owns the position: the trading fees are the creator's. */
  readonly creator: string;
  readonly mint: string;
  readonly positionMint: string;
  /** Square roots of lamports per base unit, Q64.64; the lower one is the first price. */
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly liquidity: bigint;
}

/** The creator and the position's mint. */
export const LAUNCH_SIGNATURES = 2;
/** What the venue wants to see of SOL, although none is put in. */
export const LAUNCH_LAMPORTS = 1n;

/** Bytes of the accounts that every launch makes, whose rent the creator pays. */
export const LAUNCH_ACCOUNT_SIZES = {
  pool: POOL_SIZE,
  position: POSITION_SIZE,
  /** With the metadata that the program writes into it. */
  positionMint: 465,
  positionTokenAccount: 165,
  /** An account of a token with a transfer fee, whose owner is not fixed. */
  tokenVault: 178,
  solVault: 165,
} as const;
/** Made unless it is there; the creator can close it afterwards. */
export const WRAPPED_SOL_ACCOUNT_SIZE = 165;

/**
 * What runs after the price. The pool is made with all its liquidity and locked at once: there is no moment in which
 * the creator could take it out. The same input gives the same bytes. Throws a TypeError for what is no address and a
 * RangeError for numbers that their fields cannot hold.
 */
export function launchInstructions(launch: LaunchInput): readonly Instruction[] {
  const addresses = launchAddresses(launch);
  return [
    ...wrapOneLamport(launch.creator, addresses.creatorSolAccount),
    initializePool({ ...launch, addresses }),
    lockLiquidity({ ...launch, addresses }),
  ];
}
