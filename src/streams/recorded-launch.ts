/** Converts recorded launches to the number types that computations use. */

import type { IssuedLaunch } from '../chain/venue/judge-launch.ts';
import type { LaunchBasis } from '../chain/venue/launch-figures.ts';
import type { Launch } from './purposes/token-launch.ts';

export function issuedLaunchOf(launch: Launch, creator: string): IssuedLaunch {
  const { mintAddress, poolAddress, positionMint } = launch;
  return {
    creator,
    mintAddress,
    poolAddress,
    positionMint,
    sqrtMinPrice: BigInt(launch.sqrtMinPrice),
    sqrtMaxPrice: BigInt(launch.sqrtMaxPrice),
    liquidity: BigInt(launch.liquidity),
  };
}

export function launchBasisOf(launch: Launch): LaunchBasis {
  return {
    supply: BigInt(launch.supply),
    decimals: launch.decimals,
    sqrtMinPrice: BigInt(launch.sqrtMinPrice),
    sqrtMaxPrice: BigInt(launch.sqrtMaxPrice),
    liquidity: BigInt(launch.liquidity),
    targetMarketCap: BigInt(launch.targetMarketCap),
  };
}
