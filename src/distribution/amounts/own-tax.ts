/**
 * The tax of the engine's own sales, which a later run collects like any other. It was split before it was sold, so `split`
 * gives it back to its buckets, and neither burns nor divides it again. Base units. Pure.
 */
import { feeOfTransfer } from 'levy-solana-wire';
import type { OpenedRun } from '../../streams/distribution.ts';
import { type Buckets, type Split, sumOf } from './split.ts';

/** What is still to come back after a run: without what has, and with the tax of the run's sale, by whose tokens were sold. */
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

/** What the chain withholds of a sale, by the rates that the run is bound to. */
export function taxOfSale({ older, newer }: OpenedRun['tax'], epoch: bigint, amount: bigint): bigint {
  const rate = epoch >= BigInt(newer.epoch) ? newer : older;
  const { basisPoints, maximumFee } = rate;
  return feeOfTransfer({ epoch: BigInt(rate.epoch), basisPoints, maximumFee: BigInt(maximumFee) }, amount);
}
