/** Reads the transfer fees of mints from the chain. */
import { readMint } from '../../chain/token-accounts.ts';
import { type ObservedRates, ratesAt } from '../../chain/transfer-fees.ts';
import type { Chain } from '../../kernel/ports/chain.ts';

/** A node takes no more accounts per call. */
const TOGETHER = 100;

/**
 * In the order of the mints, from the latest final state; undefined where the mint has no transfer fee. Reads the epoch
 * first: if it changes meanwhile, a rate may be shown as pending a moment too long, never as valid too early. Nodes
 * that have not reached `atLeastSlot` count as unavailable.
 */
export async function observeTransferFees(
  chain: Chain,
  mints: readonly string[],
  options: { readonly atLeastSlot?: bigint } = {},
): Promise<readonly (ObservedRates | undefined)[]> {
  const epoch = await chain.epoch();
  const observed: (ObservedRates | undefined)[] = [];
  for (let from = 0; from < mints.length; from += TOGETHER) {
    const asked = mints.slice(from, from + TOGETHER);
    const { slot, accounts } = await chain.accountsAt(asked, 'finalized', options);
    for (const account of accounts) {
      const fees = account && readMint(account)?.transferFees;
      observed.push(fees && { ...ratesAt(fees, epoch), slot: slot.toString() });
    }
  }
  return observed;
}
