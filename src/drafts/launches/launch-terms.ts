/** The terms of a launch from its first price to its target: computed from the parameters and the mint, or refused. */

import { feeOfTransfer, type Mint } from 'levy-solana-wire';
import {
  baseUnitsBetween,
  lamportsBetween,
  liquidityOf,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
  priceText,
  sqrtPriceOfMarketCap,
} from '../../chain/venue/curve.ts';
import type { Rejection } from '../../runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';

export interface LaunchParameters {
  /** Base units that leave the creator's account, transfer tax included. */
  readonly tokenAmount: bigint;
  /** Lamports. */
  readonly targetMarketCap: bigint;
  /** The target as a multiple of the market cap at the start; above 1. */
  readonly startRatio: bigint;
}

/** Prices are square roots of lamports per base unit, Q64.64. */
export interface LaunchTerms {
  /** The first price; the pool never goes below it. */
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  /** The price at the target. */
  readonly sqrtTargetPrice: bigint;
  readonly liquidity: bigint;
  /** Base units that the pool has for sale. */
  readonly tokensForSale: bigint;
  readonly curve: Curve;
}

/** Prices in lamports per whole token, as decimal digits, cut off after 12 significant digits. */
export interface Curve {
  readonly startPrice: string;
  /** At the target. */
  readonly endPrice: string;
  readonly priceMultiplier: string;
}

/** The fewest lamports between start and target: with fewer, one lamport would be more than 0.01% of the way. */
const FEWEST_LAMPORTS_TO_TARGET = 10_000n;
const U128_MAX = 2n ** 128n - 1n;

/**
 * The higher of the mint's two rates counts, so that the creator never parts with more than `tokenAmount`, in whichever
 * epoch the launch lands. Throws `VALIDATION_FAILED`, naming the parameter at fault.
 */
export function launchTerms(parameters: LaunchParameters, mint: Mint): LaunchTerms {
  const { tokenAmount, targetMarketCap, startRatio } = parameters;
  if (mint.supply === 0n || tokenAmount > mint.supply) {
    throw refused('tokenAmount', `must not be above the supply, which is ${mint.supply}`);
  }
  const net = tokenAmount - highestFee(mint, tokenAmount);
  if (net <= 0n) throw refused('tokenAmount', 'must be more than the tax on it');

  const sqrtMinPrice = sqrtPriceOfMarketCap(targetMarketCap / startRatio, mint.supply);
  if (sqrtMinPrice < MIN_SQRT_PRICE) {
    const least = startRatio * lowestMarketCap(mint.supply);
    throw refused('targetMarketCap', `must be at least ${least} for a token of this supply`);
  }
  const sqrtTargetPrice = sqrtPriceOfMarketCap(targetMarketCap, mint.supply);
  if (sqrtTargetPrice >= MAX_SQRT_PRICE) {
    throw refused('targetMarketCap', 'is beyond the highest price of the venue');
  }
  const liquidity = liquidityOf(net, sqrtMinPrice, MAX_SQRT_PRICE);
  if (liquidity > U128_MAX) throw refused('targetMarketCap', 'is too high for this tokenAmount');
  if (lamportsBetween(liquidity, sqrtMinPrice, sqrtTargetPrice) < FEWEST_LAMPORTS_TO_TARGET) {
    throw refused('tokenAmount', 'is too small: the target would be reached with next to no SOL');
  }
  return {
    sqrtMinPrice,
    sqrtMaxPrice: MAX_SQRT_PRICE,
    sqrtTargetPrice,
    liquidity,
    tokensForSale: baseUnitsBetween(liquidity, sqrtMinPrice, MAX_SQRT_PRICE),
    curve: {
      startPrice: priceText(sqrtMinPrice, mint.decimals),
      endPrice: priceText(sqrtTargetPrice, mint.decimals),
      priceMultiplier: String(startRatio),
    },
  };
}

function highestFee({ transferFees }: Mint, amount: bigint): bigint {
  if (transferFees === undefined) return 0n;
  const [older, newer] = [transferFees.older, transferFees.newer].map((fee) => feeOfTransfer(fee, amount));
  return [older ?? 0n, newer ?? 0n].reduce((highest, fee) => (fee > highest ? fee : highest));
}

/** The supply's market cap in lamports at the venue's lowest price, rounded up. */
function lowestMarketCap(supply: bigint): bigint {
  return ((MIN_SQRT_PRICE * MIN_SQRT_PRICE * supply) >> 128n) + 1n;
}

function refused(field: 'tokenAmount' | 'targetMarketCap', reason: string): Rejection {
  return rejection('VALIDATION_FAILED', `${field} ${reason}.`, {
    details: [{ path: [field], message: reason }],
  });
}
