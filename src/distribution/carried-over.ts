/** What a run takes over from the runs before it, as numbers. Base units of the token. */
import type { CarriedOver } from '../streams/distribution.ts';
import type { SplitTax } from '../streams/distribution-run.ts';
import { outstandingAfter } from './amounts/own-tax.ts';
import { type Buckets, type CarriedTokens, type Split, sumOf } from './amounts/split.ts';

/** Tax that was collected before, and neither sold nor paid. */
function keptBefore({ kept }: Pick<CarriedOver, 'kept'>): Buckets {
  return bucketsOf(kept);
}

/** The sums that a split begins with. */
export function tokensBefore(carried: Pick<CarriedOver, 'kept' | 'ownTax'>): CarriedTokens {
  return { kept: keptBefore(carried), ownTax: bucketsOf(carried.ownTax) };
}

/** As a split records the tax of sales: `tax` is that of its own. */
export function recordedOwnTax(
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

/** What lies in the wallet's own account and is no new tax. */
export function reservedTokens({ kept, owed, dust }: Pick<CarriedOver, 'kept' | 'owed' | 'dust'>): bigint {
  return sumOf(keptBefore({ kept })) + BigInt(owed.token) + BigInt(dust.token);
}

/** As events hold them. */
export function recordedBuckets({ developer, holders }: Buckets): CarriedOver['kept'] {
  return { developer: developer.toString(), holders: holders.toString() };
}

/** From what events hold. */
export function bucketsOf({ developer, holders }: CarriedOver['kept']): Buckets {
  return { developer: BigInt(developer), holders: BigInt(holders) };
}
