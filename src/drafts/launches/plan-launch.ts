/**
 * Checks on the chain whether a launch is possible, and computes its terms, from the first price to the target, from the
 * parameters and the mint.
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
import { requireNoPool } from '../existing-pool.ts';

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
 * Rejects with `VALIDATION_FAILED` for impossible parameters, with `LAUNCH_ALREADY_EXISTS` if an earlier draft of the token has
 * landed, and with `POOL_ADDRESS_TAKEN` if someone else has created the only possible pool.
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
  if (pool !== undefined) throw await requireNoPool({ chain, readModel }, request.mint);
  const mint = mintAccount && readMint(mintAccount);
  if (mint === undefined) {
    throw rejection('CHAIN_UNAVAILABLE', "The chain node does not return the token's mint; try again.", {
      retryAfterSeconds: 2,
    });
  }
  const held = (tokenAccount && readTokenAccount(tokenAccount)?.amount) ?? 0n;
  if (request.tokenAmount > held) {
    const reason = `exceeds the wallet's balance of ${held}`;
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

interface LaunchParameters {
  /** Base units that leave the creator's account, including transfer tax. */
  readonly tokenAmount: bigint;
  /** Lamports. */
  readonly targetMarketCap: bigint;
  /** Target as a multiple of the market cap at the start; above 1. */
  readonly startRatio: bigint;
  /** Balance of the creator in base units. It limits the values that a rejection proposes. Default: the supply. */
  readonly held?: bigint;
}

/** Prices are square roots of lamports per base unit, Q64.64. */
type LaunchTerms = Exclude<ReturnType<typeof termsOrFault>, { readonly fault: Fault }>;

/** Minimum lamports between start and target, so that one lamport is at most 0.01% of the way. */
const MIN_LAMPORTS_TO_TARGET = 10_000n;
const U128_MAX = 2n ** 128n - 1n;

/**
 * Uses the higher of the mint's two rates, so that the creator never spends more than `tokenAmount`, in whichever epoch the
 * launch lands. Throws `VALIDATION_FAILED` with the invalid parameter and, if one exists, its nearest accepted value with the
 * other parameter unchanged.
 */
export function launchTerms(parameters: LaunchParameters, mint: Mint): LaunchTerms {
  const found = termsOrFault(parameters, mint);
  if (!('fault' in found)) return found;
  const { fault } = found;
  if (fault.field !== undefined)
    throw launchFieldRejection(fault.field, sentenceOf(fault.field, fault, parameters, mint));
  // Either more tokens or a higher target would be accepted; prefer tokens if the creator has enough.
  const field =
    boundOf('tokenAmount', 'least', parameters, mint) === undefined ? 'targetMarketCap' : 'tokenAmount';
  throw launchFieldRejection(field, sentenceOf(field, fault, parameters, mint));
}

type Field = 'tokenAmount' | 'targetMarketCap';

interface Fault {
  readonly reason: string;
  /** Undefined if changing either field could help. */
  readonly field: Field | undefined;
  /** Side on which accepted values are. */
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
 * Nearest accepted value of the field on the side of the bound; undefined without one. Uses a binary search, since the fault of
 * this side is monotonic in the value.
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
    return atFault(`must not exceed the supply of ${mint.supply}`, 'tokenAmount', 'most');
  }
  const net = tokenAmount - highestFee(mint, tokenAmount);
  if (net <= 0n) return atFault('must exceed its own tax', 'tokenAmount', 'least');

  const sqrtMinPrice = sqrtPriceOfMarketCap(targetMarketCap / startRatio, mint.supply);
  if (sqrtMinPrice < MIN_SQRT_PRICE) {
    return atFault('must not give a price below the minimum of the venue', 'targetMarketCap', 'least');
  }
  const sqrtTargetPrice = sqrtPriceOfMarketCap(targetMarketCap, mint.supply);
  if (sqrtTargetPrice >= MAX_SQRT_PRICE) {
    return atFault('must not exceed the maximum price of the venue', 'targetMarketCap', 'most');
  }
  const liquidity = liquidityOf(net, sqrtMinPrice, MAX_SQRT_PRICE);
  if (liquidity > U128_MAX) return atFault('is too high for this tokenAmount', 'targetMarketCap', 'most');
  if (lamportsBetween(liquidity, sqrtMinPrice, sqrtTargetPrice) < MIN_LAMPORTS_TO_TARGET) {
    return atFault('is too small: the target would be reached with almost no SOL', undefined, 'least');
  }
  return {
    /** First price, which is the minimum price of the pool. */
    sqrtMinPrice,
    sqrtMaxPrice: MAX_SQRT_PRICE,
    sqrtTargetPrice,
    liquidity,
    /** Base units for sale in the pool. */
    tokensForSale: baseUnitsBetween(liquidity, sqrtMinPrice, MAX_SQRT_PRICE),
    /** Prices in lamports per whole token, as decimal digits, truncated to 12 significant digits. */
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

function launchFieldRejection(field: Field, reason: string): Rejection {
  return rejection('VALIDATION_FAILED', `${field} ${reason}.`, {
    details: [{ path: [field], message: reason }],
  });
}
