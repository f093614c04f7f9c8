/**
 * Checks on the chain whether a launch is possible, and computes its terms from its first price to its target by the parameters
 * and the mint.
 */

import { feeOfTransfer, type Mint, U64_MAX } from 'levy-solana-wire';
import { readMint, readTokenAccount } from '../../chain/token-accounts.ts';
import { launchAddresses } from '../../chain/venue/addresses.ts';
import {
  baseUnitsBetween,
  lamportsBetween,
  liquidityOf,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
  priceText,
  sqrtPriceOfMarketCap,
} from '../../chain/venue/curve.ts';
import {
  LAUNCH_ACCOUNT_SIZES,
  LAUNCH_LAMPORTS,
  WRAPPED_SOL_ACCOUNT_SIZE,
} from '../../chain/venue/venue-instructions.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';
import { poolIsThere } from '../pool-is-there.ts';

export type LaunchPlan = Awaited<ReturnType<typeof planLaunch>>;

export interface LaunchRequest {
  readonly creator: string;
  readonly mint: string;
  readonly positionMint: string;
  /** Base units. */
  readonly tokenAmount: bigint;
  /** Lamports. */
  readonly targetMarketCap: bigint;
  readonly startRatio: bigint;
}

/**
 * Rejects with `VALIDATION_FAILED` for parameters that cannot be met, with `LAUNCH_ALREADY_EXISTS` when an earlier
 * draft of the token has landed, and with `POOL_ADDRESS_TAKEN` when somebody else has created the only possible pool.
 */
export async function planLaunch(
  { chain, readModel }: { readonly chain: Chain; readonly readModel: ReadModel },
  request: LaunchRequest,
) {
  const addresses = launchAddresses(request);
  const [mintAccount, tokenAccount, solAccount, pool] = await chain.accounts(
    [request.mint, addresses.creatorTokenAccount, addresses.creatorSolAccount, addresses.pool],
    'confirmed',
  );
  if (pool !== undefined) throw await poolIsThere({ chain, readModel }, request.mint);
  const mint = mintAccount && readMint(mintAccount);
  if (mint === undefined) {
    throw rejection('CHAIN_UNAVAILABLE', "The chain node does not show the token's mint; try again.", {
      retryAfterSeconds: 2,
    });
  }
  const held = (tokenAccount && readTokenAccount(tokenAccount)?.amount) ?? 0n;
  if (request.tokenAmount > held) {
    const reason = `is more than the wallet holds, which is ${held}`;
    throw rejection('VALIDATION_FAILED', `tokenAmount ${reason}.`, {
      details: [{ path: ['tokenAmount'], message: reason }],
    });
  }
  const terms = launchTerms({ ...request, held }, mint);
  const sizes = [
    ...Object.values(LAUNCH_ACCOUNT_SIZES),
    ...(solAccount === undefined ? [WRAPPED_SOL_ACCOUNT_SIZE] : []),
  ];
  const rents = await Promise.all(sizes.map((size) => chain.rentExemption(size)));
  // Lamports that the creator pays besides the fee.
  const payments = rents.reduce((sum, rent) => sum + rent, LAUNCH_LAMPORTS);
  return { addresses, mint, terms, payments };
}

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
type LaunchTerms = Exclude<ReturnType<typeof termsOrFault>, { readonly fault: Fault }>;

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
  if (fault.field !== undefined) throw refused(fault.field, sentenceOf(fault.field, fault, parameters, mint));
  // More tokens or a higher target would do; asks for tokens if there are enough.
  const field =
    boundOf('tokenAmount', 'least', parameters, mint) === undefined ? 'targetMarketCap' : 'tokenAmount';
  throw refused(field, sentenceOf(field, fault, parameters, mint));
}

type Field = 'tokenAmount' | 'targetMarketCap';

interface Fault {
  readonly reason: string;
  /** Undefined where another value of either would do. */
  readonly field: Field | undefined;
  /** The side on which an accepted value lies. */
  readonly bound: 'least' | 'most';
}

function sentenceOf(
  field: Field,
  { reason, bound }: Fault,
  parameters: LaunchParameters,
  mint: Mint,
): string {
  const found = boundOf(field, bound, parameters, mint);
  return found === undefined ? reason : `${reason}; it must be at ${bound} ${found}`;
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

function termsOrFault(parameters: LaunchParameters, mint: Mint) {
  const { tokenAmount, targetMarketCap, startRatio } = parameters;
  if (mint.supply === 0n || tokenAmount > mint.supply) {
    return atFault(`must not be above the supply, which is ${mint.supply}`, 'tokenAmount', 'most');
  }
  const net = tokenAmount - highestFee(mint, tokenAmount);
  if (net <= 0n) return atFault('must be more than the tax on it', 'tokenAmount', 'least');

  const sqrtMinPrice = sqrtPriceOfMarketCap(targetMarketCap / startRatio, mint.supply);
  if (sqrtMinPrice < MIN_SQRT_PRICE) {
    return atFault('gives a price below the lowest of the venue', 'targetMarketCap', 'least');
  }
  const sqrtTargetPrice = sqrtPriceOfMarketCap(targetMarketCap, mint.supply);
  if (sqrtTargetPrice >= MAX_SQRT_PRICE) {
    return atFault('is beyond the highest price of the venue', 'targetMarketCap', 'most');
  }
  const liquidity = liquidityOf(net, sqrtMinPrice, MAX_SQRT_PRICE);
  if (liquidity > U128_MAX) return atFault('is too high for this tokenAmount', 'targetMarketCap', 'most');
  if (lamportsBetween(liquidity, sqrtMinPrice, sqrtTargetPrice) < FEWEST_LAMPORTS_TO_TARGET) {
    return atFault('is too small: the target would be reached with next to no SOL', undefined, 'least');
  }
  return {
    /** The first price; the pool never goes below it. */
    sqrtMinPrice,
    sqrtMaxPrice: MAX_SQRT_PRICE,
    sqrtTargetPrice,
    liquidity,
    /** Base units that the pool has for sale. */
    tokensForSale: baseUnitsBetween(liquidity, sqrtMinPrice, MAX_SQRT_PRICE),
    /** Prices in lamports per whole token, as decimal digits, cut off after 12 significant digits. */
    curve: {
      startPrice: priceText(sqrtMinPrice, mint.decimals),
      endPrice: priceText(sqrtTargetPrice, mint.decimals),
      priceMultiplier: String(startRatio),
    },
  };
}

function atFault(reason: string, field: Fault['field'], bound: Fault['bound']): { readonly fault: Fault } {
  return { fault: { reason, field, bound } };
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
