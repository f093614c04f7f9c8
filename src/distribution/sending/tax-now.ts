/** The tax that the chain takes of a transfer now. */
import type { TransferFee } from 'levy-solana-wire';
import { readMint, readTransferFeeConfig } from '../../chain/token-accounts.ts';
import { type Chain, type ChainAccount, ChainAnswerInvalid } from '../../kernel/ports/chain.ts';

/** The extension's type. */
const TRANSFER_FEE_CONFIG = 1;

export interface TaxedMint {
  readonly supply: bigint;
  /** Base units of harvested tax that wait in the mint. */
  readonly withheld: bigint;
  readonly older: TransferFee;
  readonly newer: TransferFee;
  /** The rate of the epoch in which transactions run. */
  readonly now: TransferFee;
  readonly epoch: bigint;
}

/** Rejects with `ChainAnswerInvalid` where the node shows no taxed mint. */
export async function readTaxedMint(
  chain: Chain,
  mint: string,
  options: { readonly atLeastSlot?: bigint } = {},
): Promise<TaxedMint> {
  const epoch = await chain.epoch();
  const [account] = await chain.accounts([mint], 'confirmed', options);
  const { supply, withheld, older, newer } = taxedMintIn(account, mint);
  return { supply, withheld, older, newer, now: epoch >= newer.epoch ? newer : older, epoch };
}

/** @throws ChainAnswerInvalid where it is no taxed mint */
export function taxedMintIn(
  account: ChainAccount | undefined,
  mint: string,
): Pick<TaxedMint, 'supply' | 'withheld' | 'older' | 'newer'> {
  const shown = account && readMint(account);
  if (shown?.transferFees === undefined)
    throw new ChainAnswerInvalid(`the node shows no mint with a transfer fee at ${mint}`);
  const { older, newer } = shown.transferFees;
  const config = shown.extensions.find(({ type }) => type === TRANSFER_FEE_CONFIG);
  const withheld = (config && readTransferFeeConfig(config.value)?.withheldAmount) ?? 0n;
  return { supply: shown.supply, withheld, older, newer };
}
