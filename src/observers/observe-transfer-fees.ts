/** Reads the transfer fees of mints from the chain. */
import { readMint } from 'levy-solana-wire';
import { ratesAt, type TransferFeeRates } from '../chain/transfer-fees.ts';
import type { Chain } from '../ports/chain.ts';

/**
 * In the order of the mints, from the latest final state; undefined where the mint has no transfer fee. Reads the epoch
 * first: if it changes meanwhile, a rate may be shown as pending a moment too long, never as valid too early. Nodes
 * that have not reached `atLeastSlot` count as unavailable.
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
