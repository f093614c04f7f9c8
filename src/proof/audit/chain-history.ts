/** What landed of an account's transactions, as the chain shows it at `finalized`. */
import { LRUCache } from 'lru-cache';
import { afterKey, NO_KEYS } from '../../chain/page-keys.ts';
import type { AccountsAtSlot, Chain, ChainAccount, HistoryEntry } from '../../kernel/ports/chain.ts';
import { actionsOf, type DecodedActions } from './decode-actions.ts';

/** All that an audit asks of a chain. */
export interface AuditedChain extends Pick<Chain, 'accounts' | 'transaction'> {
  /** As `Chain.signaturesOf`. */
  signaturesOf(
    ...asked: Parameters<Chain['signaturesOf']>
  ): Promise<readonly Pick<HistoryEntry, 'signature'>[]>;
  /** As `Chain.accountsAt`: the owners alone, whatever the accounts hold. */
  accountsAt(
    addresses: readonly string[],
    commitment: 'finalized',
    options: { readonly mostData: number },
  ): Promise<Pick<AccountsAtSlot, 'accounts'>>;
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
  /** Every transaction that names the account and did not fail, the oldest first, a few at a time. */
  of(address: string): AsyncIterable<PastTransaction>;
  /** Undefined if the chain does not have it, or if it failed. */
  transaction(signature: string): Promise<PastTransaction | undefined>;
  account(address: string): Promise<ChainAccount | undefined>;
}

/** Requested ahead of what is checked. */
const AHEAD = 16;
/** Transactions that are kept: the next look is often at the same. */
const KEPT = 256;

/**
 * Throws `HistoryIncomplete` where the node lists a transaction that it does not have: nothing can be proven then. Of what
 * was read, little is kept.
 */
export function createChainHistory(chain: AuditedChain): ChainHistory {
  const read = new LRUCache<string, { readonly past: PastTransaction | undefined }>({ max: KEPT });

  /** Undefined if the chain does not have it; without a past if it failed. */
  async function look(
    signature: string,
  ): Promise<{ readonly past: PastTransaction | undefined } | undefined> {
    const known = read.get(signature);
    if (known !== undefined) return known;
    const landed = await chain.transaction(signature, 'finalized');
    if (landed === undefined) return undefined;
    const decoded = landed.error === undefined ? actionsOf(landed.wire) : undefined;
    const seen = { past: decoded && { ...decoded, signature, slot: landed.slot } };
    read.set(signature, seen);
    return seen;
  }

  /** Oldest first. Nodes give fewer than they are asked for, so that only an empty page is the end. */
  async function signaturesOf(address: string): Promise<readonly string[]> {
    const signatures: string[] = [];
    for (let keys = NO_KEYS; ; ) {
      // From the last but one on, where there is one: a node that does not know the place gives an empty page as well.
      const [before, last] = signatures.slice(-2);
      const page = await chain.signaturesOf(address, {
        limit: PAGE,
        commitment: 'finalized',
        ...(before === undefined ? {} : { before }),
      });
      if (last !== undefined && page[0]?.signature !== last)
        throw new HistoryIncomplete(`the node does not know where its list for ${address} stopped`);
      const older = last === undefined ? page : page.slice(1);
      if (older.length === 0) return signatures.reverse();
      signatures.push(...older.map(({ signature }) => signature));
      const next = afterKey(keys, signatures.at(-1) ?? '');
      if (next === undefined)
        throw new HistoryIncomplete(`the list of the node for ${address} leads in a circle`);
      keys = next;
    }
  }

  async function* landedOf(address: string): AsyncGenerator<PastTransaction> {
    const signatures = await signaturesOf(address);
    for (let from = 0; from < signatures.length; from += AHEAD) {
      const page = signatures.slice(from, from + AHEAD);
      const seen = await Promise.all(page.map(look));
      for (const [index, found] of seen.entries()) {
        if (found === undefined)
          throw new HistoryIncomplete(`the node lists ${page[index]} of ${address} and does not have it`);
        if (found.past !== undefined) yield found.past;
      }
    }
  }

  return {
    of: landedOf,
    transaction: async (signature) => (await look(signature))?.past,
    async account(address) {
      const [account] = await chain.accounts([address], 'finalized');
      return account;
    },
  };
}
