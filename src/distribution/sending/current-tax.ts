/** Reads a mint's current transfer fee. */
import { readMint, readTransferFeeConfig } from '../../chain/token-accounts.ts';
import { type Chain, type ChainAccount, ChainAnswerInvalid } from '../../kernel/ports/chain.ts';

/** Type number of the extension. */
const TRANSFER_FEE_CONFIG = 1;

/** `now`: the rate in the current epoch. Rejects with `ChainAnswerInvalid` if the account is not a taxed mint. */
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

/** `withheld`: base units of harvested tax in the mint. Throws `ChainAnswerInvalid` if the account is not a taxed mint. */
export function taxedMintIn(account: ChainAccount | undefined, mint: string) {
  const shown = account && readMint(account);
  if (shown?.transferFees === undefined)
    throw new ChainAnswerInvalid(`the account is not a mint with a transfer fee: ${mint}`);
  const { older, newer } = shown.transferFees;
  const config = shown.extensions.find(({ type }) => type === TRANSFER_FEE_CONFIG);
  const withheld = (config && readTransferFeeConfig(config.value)?.withheldAmount) ?? 0n;
  return { supply: shown.supply, withheld, older, newer };
}
