/**
 * Determines if a launch has landed as issued. The pool's address proves nothing, because any token holder can create the pool;
 * only the service has the position's key, which signs one message only.
 */
import { NATIVE_MINT } from 'levy-solana-wire';
import type { ChainAccount } from '../../kernel/ports/chain.ts';
import { VENUE_PROGRAM } from './addresses.ts';
import { decodePool, decodePosition, type PoolAccount } from './venue-accounts.ts';

/** A launch as it was issued. Prices are square roots of lamports per base unit, Q64.64. */
export interface IssuedLaunch {
  readonly creator: string;
  readonly mintAddress: string;
  readonly poolAddress: string;
  readonly positionMint: string;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly liquidity: bigint;
}

interface LaunchAccounts {
  readonly pool: ChainAccount | undefined;
  readonly position: ChainAccount | undefined;
}

/** Returns the pool if both accounts are as issued. The accounts must come from one read of the chain. */
export function judgeLaunch(
  launch: IssuedLaunch,
  { pool, position }: LaunchAccounts,
): PoolAccount | undefined {
  const found = position && readPosition(position);
  const isOurs = found?.pool === launch.poolAddress && found.positionMint === launch.positionMint;
  return isOurs ? judgePool(launch, pool) : undefined;
}

/** Checks the pool alone, once the position was found as issued: positions can be split and closed, but the pool stays. */
export function judgePool(launch: IssuedLaunch, account: ChainAccount | undefined): PoolAccount | undefined {
  const pool = account && readPool(account);
  return pool && isAsIssued(launch, pool) ? pool : undefined;
}

/** Undefined unless the account is a pool that the venue's program owns. */
export function readPool({ owner, data }: ChainAccount): PoolAccount | undefined {
  return owner === VENUE_PROGRAM ? decodePool(data) : undefined;
}

function readPosition({ owner, data }: ChainAccount) {
  return owner === VENUE_PROGRAM ? decodePosition(data) : undefined;
}

/** Accepts more liquidity than issued, because other users may have added some. */
function isAsIssued(launch: IssuedLaunch, pool: PoolAccount): boolean {
  return (
    pool.tokenMint === launch.mintAddress &&
    pool.quoteMint === NATIVE_MINT &&
    pool.creator === launch.creator &&
    pool.sqrtMinPrice === launch.sqrtMinPrice &&
    pool.sqrtMaxPrice === launch.sqrtMaxPrice &&
    pool.liquidity >= launch.liquidity &&
    pool.lockedLiquidity >= launch.liquidity
  );
}
