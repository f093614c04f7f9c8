/** What a run takes over from the runs before it, as numbers. Base units of the token. */
import type { CarriedOver } from '../streams/distribution.ts';
import { type Buckets, sumOf } from './amounts/split.ts';

/** Of the tax collected before: not sold and not paid. */
export function keptBefore({ kept }: Pick<CarriedOver, 'kept'>): Buckets {
  return { developer: BigInt(kept.developer), holders: BigInt(kept.holders) };
}

/** What lies in the wallet's own account and is no new tax. */
export function reservedTokens({ kept, owed, dust }: Pick<CarriedOver, 'kept' | 'owed' | 'dust'>): bigint {
  return sumOf(keptBefore({ kept })) + BigInt(owed.token) + BigInt(dust.token);
}

/** As events hold them. */
export function recordedBuckets({ developer, holders }: Buckets): CarriedOver['kept'] {
  return { developer: developer.toString(), holders: holders.toString() };
}
