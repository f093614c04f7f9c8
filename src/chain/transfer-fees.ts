/** The tax of a mint as its account has it: the rate that holds in an epoch, and the one that is to come. */

import type { Mint } from 'levy-solana-wire';

/** A rate in basis points, and the one that takes its place, if one is to come. */
export interface TransferFeeRates {
  readonly basisPoints: number;
  readonly pending: { readonly basisPoints: number; readonly fromEpoch: string } | null;
}

/** Before the newer rate's epoch the older one holds. */
export function ratesAt(
  { older, newer }: NonNullable<Mint['transferFees']>,
  epoch: bigint,
): TransferFeeRates {
  if (epoch >= newer.epoch) return { basisPoints: newer.basisPoints, pending: null };
  return {
    basisPoints: older.basisPoints,
    pending: { basisPoints: newer.basisPoints, fromEpoch: newer.epoch.toString() },
  };
}

export function sameRates(one: TransferFeeRates, other: TransferFeeRates): boolean {
  return (
    one.basisPoints === other.basisPoints &&
    one.pending?.basisPoints === other.pending?.basisPoints &&
    one.pending?.fromEpoch === other.pending?.fromEpoch
  );
}
