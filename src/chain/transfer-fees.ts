/** What the chain says of the tax of mints: the rate that holds now, and the one that is to come. */

import { decodeMint, type Mint } from 'levy-solana-wire';
import type { Chain } from '../ports/chain.ts';
import type { TransferFeeRates } from '../streams/token.ts';

/**
 * In the order of the mints, as of the latest final state; undefined where there is no taxed mint. The epoch is asked
 * for first: a change that comes meanwhile is then at most told a moment late as pending, never early as valid. A node
 * that has not come as far as `atLeastSlot` is as good as unavailable.
 */
export async function observeTransferFees(
  chain: Chain,
  mints: readonly string[],
  options: { readonly atLeastSlot?: bigint } = {},
): Promise<readonly (TransferFeeRates | undefined)[]> {
  const epoch = await chain.epoch();
  const accounts = await chain.accounts(mints, 'finalized', options);
  return accounts.map((account) => {
    const fees = account && decodeMint(account)?.transferFees;
    return fees && ratesAt(fees, epoch);
  });
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
