/** Reads the mint of a taxed token as finalized, with the slot that shows it. */
import { type Chain, ChainUnavailable } from '../../ports/chain.ts';
import { taxedMintIn } from '../sending/tax-now.ts';
import type { MintReading } from './judge-scan.ts';

/** Rejects with `ChainUnavailable` where the node is not at that slot, and with `ChainAnswerInvalid` where it shows no mint. */
export async function readMintAt(
  chain: Pick<Chain, 'accountsAt'>,
  mint: string,
  atLeastSlot?: bigint,
): Promise<MintReading> {
  const { slot, accounts } = await chain.accountsAt(
    [mint],
    'finalized',
    atLeastSlot === undefined ? {} : { atLeastSlot },
  );
  if (atLeastSlot !== undefined && slot < atLeastSlot)
    throw new ChainUnavailable(`the chain node shows the mint of slot ${slot} when asked for ${atLeastSlot}`);
  const { supply, withheld } = taxedMintIn(accounts[0], mint);
  return { slot, supply, withheld };
}
