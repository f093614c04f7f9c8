/** Transfer fee of a mint: the rate and its cap in an epoch, and the pending ones. */

import { type Mint, U64_MAX } from 'levy-solana-wire';

interface Rate {
  readonly basisPoints: number;
  /** Maximum tax of one transfer, in base units; null if only the rate counts. */
  readonly maximum: string | null;
}

/** Current rate, and the rate that will replace it, if any. */
export interface TransferFeeRates extends Rate {
  readonly pending: (Rate & { readonly fromEpoch: string }) | null;
}

/** Rates, and the finalized slot that showed them; null if not recorded. */
export interface ObservedRates extends TransferFeeRates {
  readonly slot: string | null;
}

/** The older rate applies until the newer rate's epoch. */
export function ratesAt(
  { older, newer }: NonNullable<Mint['transferFees']>,
  epoch: bigint,
): TransferFeeRates {
  if (epoch >= newer.epoch) return { ...rateOf(newer), pending: null };
  return { ...rateOf(older), pending: { ...rateOf(newer), fromEpoch: newer.epoch.toString() } };
}

function rateOf({
  basisPoints,
  maximumFee,
}: {
  readonly basisPoints: number;
  readonly maximumFee: bigint;
}): Rate {
  return { basisPoints, maximum: maximumFee === U64_MAX ? null : maximumFee.toString() };
}

/** True if the observation changes the known rates. Ignores a node that is behind, which shows earlier rates. */
export function hasChanged(known: ObservedRates, observed: ObservedRates): boolean {
  const isOld = known.slot !== null && observed.slot !== null && BigInt(observed.slot) < BigInt(known.slot);
  return !isOld && !sameRates(known, observed);
}

export function sameRates(one: TransferFeeRates, other: TransferFeeRates): boolean {
  return (
    one.basisPoints === other.basisPoints &&
    one.maximum === other.maximum &&
    one.pending?.maximum === other.pending?.maximum &&
    one.pending?.basisPoints === other.pending?.basisPoints &&
    one.pending?.fromEpoch === other.pending?.fromEpoch
  );
}
