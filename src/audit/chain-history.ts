/** What landed of an account's transactions, as the chain shows it at `finalized`. */
import type { Chain, ChainAccount } from '../ports/chain.ts';
import { actionsOf, type DecodedActions } from './decode-actions.ts';

/** All that an audit asks of a chain. */
export interface AuditedChain extends Pick<Chain, 'accounts' | 'signaturesOf' | 'transaction'> {
  /**
   * What each token account that the transaction names held right behind it: base units, or lamports of wrapped SOL.
   * Undefined if the node does not have it. Without this, what was collected and what a sale brought is not recomputed.
   */
  balancesAfter?(signature: string): Promise<ReadonlyMap<string, bigint> | undefined>;
}

export interface PastTransaction extends DecodedActions {
  readonly signature: string;
  readonly slot: number;
}

const PAGE = 1_000;

export class HistoryIncomplete extends Error {
  override readonly name = 'HistoryIncomplete';
}

export interface ChainHistory {
  /** Every transaction that names the account and did not fail, the oldest first. */
  of(address: string): Promise<readonly PastTransaction[]>;
  /** Undefined if the chain does not have it, or if it failed. */
  transaction(signature: string): Promise<PastTransaction | undefined>;
  account(address: string): Promise<ChainAccount | undefined>;
}

/**
 * Throws `HistoryIncomplete` where the node lists a transaction that it does not have: nothing can be proven then.
 */
export function createChainHistory(chain: AuditedChain): ChainHistory {
  const read = new Map<string, PastTransaction | undefined>();

  async function transaction(signature: string): Promise<PastTransaction | undefined> {
    if (read.has(signature)) return read.get(signature);
    const landed = await chain.transaction(signature, 'finalized');
    if (landed === undefined) return undefined;
    const decoded = landed.error === undefined ? actionsOf(landed.wire) : undefined;
    const past = decoded && { ...decoded, signature, slot: landed.slot };
    read.set(signature, past);
    return past;
  }

  return {
    transaction,
    async of(address) {
      const signatures: string[] = [];
      for (;;) {
        const before = signatures.at(-1);
        const page = await chain.signaturesOf(address, {
          limit: PAGE,
          commitment: 'finalized',
          ...(before === undefined ? {} : { before }),
        });
        signatures.push(...page);
        if (page.length < PAGE) break;
      }
      const past: PastTransaction[] = [];
      for (const signature of signatures.reverse()) {
        const found = await transaction(signature);
        if (found !== undefined) past.push(found);
        else if (!read.has(signature))
          throw new HistoryIncomplete(`the node lists ${signature} of ${address} and does not have it`);
      }
      return past;
    },
    async account(address) {
      const [account] = await chain.accounts([address], 'finalized');
      return account;
    },
  };
}
