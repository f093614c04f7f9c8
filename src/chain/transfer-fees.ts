/** A mint's transfer fee: the rate in an epoch, and the pending rate. */

import type { Mint } from 'levy-solana-wire';

/** A rate in basis points, and the pending rate that will replace it, if any. */
export interface TransferFeeRates {
  readonly basisPoints: number;
  readonly pending: { readonly basisPoints: number; readonly fromEpoch: string } | null;
}

/** The older rate applies until the newer rate's epoch. */
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
