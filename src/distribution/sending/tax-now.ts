/** The tax that the chain takes of a transfer now. */
import { readMint, readTransferFeeConfig } from '../../chain/token-accounts.ts';
import { type Chain, type ChainAccount, ChainAnswerInvalid } from '../../kernel/ports/chain.ts';

/** The extension's type. */
const TRANSFER_FEE_CONFIG = 1;

/** `now` is the rate of the epoch in which transactions run. Rejects with `ChainAnswerInvalid` where the node shows no taxed mint. */
export async function readTaxedMint(
  chain: Chain,
  mint: string,
  options: { readonly atLeastSlot?: bigint } = {},
) {
  const epoch = await chain.epoch();
  const [account] = await chain.accounts([mint], 'confirmed', options);
  const { supply, withheld, older, newer } = taxedMintIn(account, mint);
  return { supply, withheld, older, newer, now: epoch >= newer.epoch ? newer : older, epoch };
}

/** `withheld`: base units of harvested tax that wait in the mint. Throws `ChainAnswerInvalid` where it is no taxed mint. */
export function taxedMintIn(account: ChainAccount | undefined, mint: string) {
  const shown = account && readMint(account);
  if (shown?.transferFees === undefined)
    throw new ChainAnswerInvalid(`the node shows no mint with a transfer fee at ${mint}`);
  const { older, newer } = shown.transferFees;
  const config = shown.extensions.find(({ type }) => type === TRANSFER_FEE_CONFIG);
  const withheld = (config && readTransferFeeConfig(config.value)?.withheldAmount) ?? 0n;
  return { supply: shown.supply, withheld, older, newer };
}
