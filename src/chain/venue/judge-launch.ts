/**
 * Judges whether a launch has landed as issued. The pool's address proves nothing, since anybody with a token can make
 * the pool; only the service has the position's key, which signs one message only.
 */
import type { ChainAccount } from '../../kernel/ports/chain.ts';
import { VENUE_PROGRAM, WRAPPED_SOL_MINT } from './addresses.ts';
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

export type LaunchVerdict =
  | { readonly kind: 'landed'; readonly pool: PoolAccount }
  /** Neither pool nor position exists. */
  | { readonly kind: 'absent' }
  /** The pool belongs to somebody else, or differs from what was issued. */
  | { readonly kind: 'foreign'; readonly reason: string };

interface LaunchAccounts {
  readonly pool: ChainAccount | undefined;
  readonly position: ChainAccount | undefined;
}

/** Expects the accounts at the launch's two addresses from one read of the chain. */
export function judgeLaunch(launch: IssuedLaunch, { pool, position }: LaunchAccounts): LaunchVerdict {
  if (position === undefined) {
    return pool === undefined
      ? { kind: 'absent' }
      : { kind: 'foreign', reason: 'the pool is there without the position of this launch' };
  }
  const positionState = readPosition(position);
  if (positionState?.pool !== launch.poolAddress || positionState.positionMint !== launch.positionMint) {
    return { kind: 'foreign', reason: 'the position belongs to another pool' };
  }
  return judgePool(launch, pool);
}

/** Judges the pool alone, once the position is known to be ours: positions can be split and closed, the pool stays. */
export function judgePool(launch: IssuedLaunch, account: ChainAccount | undefined): LaunchVerdict {
  const pool = account && readPool(account);
  if (pool === undefined) return { kind: 'foreign', reason: 'there is no pool of the venue' };
  const reason = differenceOf(launch, pool);
  return reason === undefined ? { kind: 'landed', pool } : { kind: 'foreign', reason };
}

/** Undefined unless the account is a pool that the venue's program owns. */
export function readPool({ owner, data }: ChainAccount): PoolAccount | undefined {
  return owner === VENUE_PROGRAM ? decodePool(data) : undefined;
}

function readPosition({ owner, data }: ChainAccount) {
  return owner === VENUE_PROGRAM ? decodePosition(data) : undefined;
}

function differenceOf(launch: IssuedLaunch, pool: PoolAccount): string | undefined {
  if (pool.tokenMint !== launch.mintAddress || pool.quoteMint !== WRAPPED_SOL_MINT)
    return 'the pool is of another pair';
  if (pool.creator !== launch.creator) return 'the pool has another creator';
  if (pool.sqrtMinPrice !== launch.sqrtMinPrice || pool.sqrtMaxPrice !== launch.sqrtMaxPrice)
    return 'the pool has another price range';
  if (pool.liquidity < launch.liquidity) return 'the pool holds less than was to be sold';
  if (pool.lockedLiquidity < launch.liquidity) return 'the liquidity is not locked';
  return undefined;
}
