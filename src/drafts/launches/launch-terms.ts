/** The terms of a launch from its first price to its target: computed from the parameters and the mint, or refused. */

import { feeOfTransfer, type Mint, U64_MAX } from 'levy-solana-wire';
import {
  baseUnitsBetween,
  lamportsBetween,
  liquidityOf,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
  priceText,
  sqrtPriceOfMarketCap,
} from '../../chain/venue/curve.ts';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';

export interface LaunchParameters {
  /** Base units that leave the creator's account, transfer tax included. */
  readonly tokenAmount: bigint;
  /** Lamports. */
  readonly targetMarketCap: bigint;
  /** The target as a multiple of the market cap at the start; above 1. */
  readonly startRatio: bigint;
  /** Base units that the creator holds, of which a refusal can ask for no more; the supply if left out. */
  readonly held?: bigint;
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
 * epoch the launch lands. Throws `VALIDATION_FAILED`, naming the parameter at fault and, where one exists, the nearest
 * value of it that is accepted while the other parameter stays as it is.
 */
export function launchTerms(parameters: LaunchParameters, mint: Mint): LaunchTerms {
  const found = termsOrFault(parameters, mint);
  if (!('fault' in found)) return found;
  const { fault } = found;
  if (fault.kind !== 'too-little-sol') throw refused(fault.field, sentenceOf(fault, parameters, mint));
  // More tokens or a higher target would do; asks for tokens if there are enough.
  const field =
    boundOf('tokenAmount', 'least', parameters, mint) === undefined ? 'targetMarketCap' : 'tokenAmount';
  throw refused(field, sentenceOf({ ...fault, field }, parameters, mint));
}

type Field = 'tokenAmount' | 'targetMarketCap';

interface Fault {
  readonly kind:
    | 'above-supply'
    | 'all-tax'
    | 'price-too-low'
    | 'price-too-high'
    | 'too-much-liquidity'
    | 'too-little-sol';
  readonly field: Field;
  /** The side on which an accepted value lies. */
  readonly bound: 'least' | 'most';
}

const REASONS: { readonly [Kind in Fault['kind']]: string } = {
  'above-supply': 'must not be above the supply',
  'all-tax': 'must be more than the tax on it',
  'price-too-low': 'gives a price below the lowest of the venue',
  'price-too-high': 'is beyond the highest price of the venue',
  'too-much-liquidity': 'is too high for this tokenAmount',
  'too-little-sol': 'is too small: the target would be reached with next to no SOL',
};

function sentenceOf({ kind, field, bound }: Fault, parameters: LaunchParameters, mint: Mint): string {
  if (kind === 'above-supply') return `${REASONS[kind]}, which is ${mint.supply}`;
  const found = boundOf(field, bound, parameters, mint);
  return found === undefined ? REASONS[kind] : `${REASONS[kind]}; it must be at ${bound} ${found}`;
}

/**
 * The accepted value of the field that is nearest to the given one, on the side of the bound; undefined if there is none.
 * Between the given value and the other end, values are first at fault on this side, and then no longer.
 */
function boundOf(
  field: Field,
  bound: Fault['bound'],
  parameters: LaunchParameters,
  mint: Mint,
): bigint | undefined {
  const highest = field === 'tokenAmount' ? (parameters.held ?? mint.supply) : U64_MAX;
  const at = (value: bigint) => termsOrFault({ ...parameters, [field]: value }, mint);
  const isAtFault = (value: bigint): boolean => {
    const found = at(value);
    return 'fault' in found && found.fault.bound === bound;
  };
  let [faulty, other] = [parameters[field], bound === 'least' ? highest : 1n];
  if (isAtFault(other)) return undefined;
  while (faulty - other > 1n || other - faulty > 1n) {
    const middle = (faulty + other) / 2n;
    if (isAtFault(middle)) faulty = middle;
    else other = middle;
  }
  return 'fault' in at(other) ? undefined : other;
}

function termsOrFault(parameters: LaunchParameters, mint: Mint): LaunchTerms | { readonly fault: Fault } {
  const { tokenAmount, targetMarketCap, startRatio } = parameters;
  if (mint.supply === 0n || tokenAmount > mint.supply) {
    return { fault: { kind: 'above-supply', field: 'tokenAmount', bound: 'most' } };
  }
  const net = tokenAmount - highestFee(mint, tokenAmount);
  if (net <= 0n) return { fault: { kind: 'all-tax', field: 'tokenAmount', bound: 'least' } };

  const sqrtMinPrice = sqrtPriceOfMarketCap(targetMarketCap / startRatio, mint.supply);
  if (sqrtMinPrice < MIN_SQRT_PRICE) {
    return { fault: { kind: 'price-too-low', field: 'targetMarketCap', bound: 'least' } };
  }
  const sqrtTargetPrice = sqrtPriceOfMarketCap(targetMarketCap, mint.supply);
  if (sqrtTargetPrice >= MAX_SQRT_PRICE) {
    return { fault: { kind: 'price-too-high', field: 'targetMarketCap', bound: 'most' } };
  }
  const liquidity = liquidityOf(net, sqrtMinPrice, MAX_SQRT_PRICE);
  if (liquidity > U128_MAX)
    return { fault: { kind: 'too-much-liquidity', field: 'targetMarketCap', bound: 'most' } };
  if (lamportsBetween(liquidity, sqrtMinPrice, sqrtTargetPrice) < FEWEST_LAMPORTS_TO_TARGET) {
    return { fault: { kind: 'too-little-sol', field: 'tokenAmount', bound: 'least' } };
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

function refused(field: Field, reason: string): Rejection {
  return rejection('VALIDATION_FAILED', `${field} ${reason}.`, {
    details: [{ path: [field], message: reason }],
  });
}
