/**
 * Splits collected tokens into burned, sold and kept amounts, by beneficiary. All amounts are in base units of the
 * token. No unit is lost: collected + kept before = burned + sold + kept after.
 */
import { feeOfTransfer } from 'levy-solana-wire';
import type { CarriedOver, OpenedRun } from '../../streams/distribution.ts';
import type { SplitTax } from '../../streams/distribution-run.ts';
import type { DistributionSettings } from '../../streams/distribution-settings.ts';

/** Collected tokens by beneficiary, as assigned when they were split. */
interface Buckets {
  readonly developer: bigint;
  readonly holders: bigint;
}

/** `burnBasisPoints` and `developerFeeBasisPoints` sum to at most 10,000; `sellBasisPoints` applies to each bucket. */
type SplitSettings = Pick<
  DistributionSettings,
  'burnBasisPoints' | 'developerFeeBasisPoints' | 'sellBasisPoints'
>;

type Split = Readonly<ReturnType<typeof split>>;

const BASIS_POINTS = 10_000n;

/** `maxSaleable`: amount that the venue can buy without too large a fall of its price; undefined if unlimited. */
export function split(
  collected: bigint,
  { kept, ownTax }: ReturnType<typeof tokensBefore>,
  settings: SplitSettings,
  maxSaleable: bigint | undefined,
) {
  const returned = bounded(ownTax, collected);
  const fresh = collected - sumOf(returned);
  const burned = partOf(fresh, settings.burnBasisPoints);
  const forDeveloper = partOf(fresh, settings.developerFeeBasisPoints);
  const full: Buckets = {
    developer: kept.developer + returned.developer + forDeveloper,
    holders: kept.holders + returned.holders + fresh - burned - forDeveloper,
  };
  const wanted: Buckets = {
    developer: partOf(full.developer, settings.sellBasisPoints),
    holders: partOf(full.holders, settings.sellBasisPoints),
  };
  const sold = bounded(wanted, maxSaleable);
  return {
    burned,
    /** Collected tax of the engine's own sales, which returns to its buckets: neither burned nor divided again. */
    returned,
    sold,
    /** Unsold tokens; the next run adds to them and never burns them. */
    kept: { developer: full.developer - sold.developer, holders: full.holders - sold.holders },
  };
}

export function sumOf({ developer, holders }: Buckets): bigint {
  return developer + holders;
}

/**
 * Divides the proceeds of the sale, less the run's costs, in proportion to the sold tokens. Lamports received without a sale (a
 * donation to the till) belong to the holders. `costs` are limited to the available amount.
 */
export function divideProceeds(brought: bigint, costs: bigint, sold: Buckets) {
  const paidCosts = costs < brought ? costs : brought;
  const rest = brought - paidCosts;
  const all = sumOf(sold);
  const developer = all === 0n ? 0n : (rest * sold.developer) / all;
  return { costs: paidCosts, developer, holders: rest - developer };
}

/** Rounded down. */
export function partOf(amount: bigint, basisPoints: number): bigint {
  return (amount * BigInt(basisPoints)) / BASIS_POINTS;
}

/** Reduces both buckets in proportion, so that their sum is at most `most`. */
function bounded(wanted: Buckets, most: bigint | undefined): Buckets {
  const all = sumOf(wanted);
  if (most === undefined || all <= most) return wanted;
  const developer = (wanted.developer * most) / all;
  return { developer, holders: most - developer };
}

/** Tax of the engine's own sales that is not collected yet, by the bucket whose tokens were sold. */
export function outstandingAfter(
  outstanding: Buckets,
  { returned, sold }: Pick<Split, 'returned' | 'sold'>,
  tax: bigint,
): Buckets {
  const all = sumOf(sold);
  const developer = all === 0n ? 0n : (tax * sold.developer) / all;
  return {
    developer: outstanding.developer - returned.developer + developer,
    holders: outstanding.holders - returned.holders + tax - developer,
  };
}

/** Tax that the chain withholds from a sale at the rates pinned by the run. */
export function taxOfSale({ older, newer }: OpenedRun['tax'], epoch: bigint, amount: bigint): bigint {
  const rate = epoch >= BigInt(newer.epoch) ? newer : older;
  const { basisPoints, maximumFee } = rate;
  return feeOfTransfer({ basisPoints, maximumFee: BigInt(maximumFee) }, amount);
}

/** Tokens that a split starts with: kept by earlier runs, and uncollected tax of the engine's own sales. */
export function tokensBefore({ kept, ownTax }: Pick<CarriedOver, 'kept' | 'ownTax'>) {
  return { kept: bucketsOf(kept), ownTax: bucketsOf(ownTax) };
}

/** Record of the tax of the engine's own sales in a split. `tax`: tax of the split's own sale. */
export function createOwnTaxRecord(
  carried: Pick<CarriedOver, 'kept' | 'ownTax'>,
  parted: Pick<Split, 'returned' | 'sold'>,
  tax: bigint,
): SplitTax['ownTax'] {
  const { ownTax } = tokensBefore(carried);
  return {
    before: recordedBuckets(ownTax),
    returned: recordedBuckets(parted.returned),
    after: recordedBuckets(outstandingAfter(ownTax, parted, tax)),
  };
}

/** Tokens in the wallet's account that are not new tax. */
export function reservedTokens({ kept, owed, dust }: Pick<CarriedOver, 'kept' | 'owed' | 'dust'>): bigint {
  return sumOf(bucketsOf(kept)) + BigInt(owed.token) + BigInt(dust.token);
}

/** Converts to the form of events. */
export function recordedBuckets({ developer, holders }: Buckets): CarriedOver['kept'] {
  return { developer: developer.toString(), holders: holders.toString() };
}

/** Converts from the form of events. */
export function bucketsOf({ developer, holders }: CarriedOver['kept']): Buckets {
  return { developer: BigInt(developer), holders: BigInt(holders) };
}
