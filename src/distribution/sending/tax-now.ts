/** The tax that the chain takes of a transfer now. */
import { readMint, type TransferFee } from 'levy-solana-wire';
import { type Chain, ChainAnswerInvalid } from '../../ports/chain.ts';

export interface TaxedMint {
  readonly supply: bigint;
  readonly older: TransferFee;
  readonly newer: TransferFee;
  /** The rate of the epoch in which transactions run. */
  readonly now: TransferFee;
  readonly epoch: bigint;
}

/** Rejects with `ChainAnswerInvalid` where the node shows no taxed mint. */
export async function readTaxedMint(chain: Chain, mint: string): Promise<TaxedMint> {
  const epoch = await chain.epoch();
  const [account] = await chain.accounts([mint], 'confirmed');
  const shown = account && readMint(account);
  if (shown?.transferFees === undefined)
    throw new ChainAnswerInvalid(`the node shows no mint with a transfer fee at ${mint}`);
  const { older, newer } = shown.transferFees;
  return { supply: shown.supply, older, newer, now: epoch >= newer.epoch ? newer : older, epoch };
}
