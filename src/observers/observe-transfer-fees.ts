/** Asks the chain for the tax of mints. */
import { readMint } from 'levy-solana-wire';
import { ratesAt, type TransferFeeRates } from '../chain/transfer-fees.ts';
import type { Chain } from '../ports/chain.ts';

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
    const fees = account && readMint(account)?.transferFees;
    return fees && ratesAt(fees, epoch);
  });
}
