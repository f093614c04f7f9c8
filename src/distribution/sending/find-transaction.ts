/** Finds a finalized transaction in the history of an account. A node may be late with it: not found proves nothing. */
import type { Chain, LandedTransaction } from '../../ports/chain.ts';
import { signaturePages } from '../../ports/signature-pages.ts';

export interface FoundTransaction {
  readonly signature: string;
  readonly transaction: LandedTransaction;
}

/** The newest that succeeded and that `matches`; `likely` are signatures that are looked at first. */
export async function findTransaction(
  chain: Pick<Chain, 'signaturesOf' | 'transaction'>,
  address: string,
  likely: readonly string[],
  matches: (transaction: LandedTransaction) => boolean,
): Promise<FoundTransaction | undefined> {
  const look = async (signature: string): Promise<FoundTransaction | undefined> => {
    const transaction = await chain.transaction(signature, 'finalized');
    if (transaction === undefined || transaction.error !== undefined) return undefined;
    return matches(transaction) ? { signature, transaction } : undefined;
  };
  for (const signature of likely) {
    const found = await look(signature);
    if (found !== undefined) return found;
  }
  for await (const { signatures } of signaturePages(chain, address, { commitment: 'finalized' })) {
    for (const signature of signatures) {
      if (likely.includes(signature)) continue;
      const found = await look(signature);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
