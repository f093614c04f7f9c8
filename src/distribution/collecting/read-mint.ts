/** Reads the mint of a taxed token as finalized, with the slot that shows it. */
import { type Chain, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { taxedMintIn } from '../sending/tax-now.ts';
import type { MintReading } from './judge-scan.ts';

/** The node shows no account at the address of the mint: its creation may not be final yet. */
export class MintNotShown extends ChainUnavailable {}

/** Rejects with `ChainUnavailable` where the node is not at that slot, and with `ChainAnswerInvalid` where it shows no taxed mint. */
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
  if (accounts[0] === undefined)
    throw new MintNotShown(`the chain node does not show the mint ${mint} as finalized at slot ${slot}`);
  const { supply, withheld } = taxedMintIn(accounts[0], mint);
  return { slot, supply, withheld };
}
