/** Successful transactions at commitment `finalized`, with the addresses of their instructions resolved. */
import { SYSTEM_PROGRAM } from 'levy-solana-wire';
import { LRUCache } from 'lru-cache';
import {
  instructionsIn,
  type LandedInstructions,
  type NamedInstruction,
} from '../../../chain/landed-instructions.ts';
import { afterKey, NO_KEYS } from '../../../chain/page-cycle.ts';
import type { AccountsAtSlot, Chain, HistoryEntry } from '../../../kernel/ports/chain.ts';

/** Chain methods that an audit of runs needs. */
export interface AuditedChain extends Pick<Chain, 'accounts' | 'transaction'> {
  /** See `Chain.signaturesOf`. */
  signaturesOf(
    ...asked: Parameters<Chain['signaturesOf']>
  ): Promise<readonly Pick<HistoryEntry, 'signature'>[]>;
  /** Like `Chain.accountsAt`, but returns no slot. */
  accountsAt(
    addresses: readonly string[],
    commitment: 'finalized',
    options: { readonly maxData: number },
  ): Promise<Pick<AccountsAtSlot, 'accounts'>>;
}

export interface PastTransaction extends LandedInstructions {
  readonly signature: string;
  /** Lamports. */
  readonly fee: bigint;
  /**
   * Balance of each token account after the transaction, in base units (lamports for wrapped SOL); undefined if the node has no
   * balances.
   */
  readonly tokensAfter: ReadonlyMap<string, bigint> | undefined;
}

/** Transfer of an instruction of the system program; undefined for other instructions. */
export function solTransferIn({
  program,
  accounts: [from = '', to = ''],
  data,
}: NamedInstruction): { readonly from: string; readonly to: string; readonly lamports: bigint } | undefined {
  const isTransfer = program === SYSTEM_PROGRAM && data.length >= 12 && data.readUInt32LE(0) === 2;
  return isTransfer ? { from, to, lamports: data.readBigUInt64LE(4) } : undefined;
}

/** The node lists a transaction that it does not store, or its list is cyclic; the audit cannot prove anything from it. */
export class HistoryIncomplete extends Error {
  override readonly name = 'HistoryIncomplete';
}

const PAGE = 1_000;
/** Transactions that are requested concurrently. */
const AHEAD = 16;
const CACHED = 256;

export function createChainHistory(chain: AuditedChain) {
  const cache = new LRUCache<string, { readonly past: PastTransaction | undefined }>({ max: CACHED });

  /** Undefined if the chain does not have the transaction; `past` is undefined if it failed. */
  async function read(
    signature: string,
  ): Promise<{ readonly past: PastTransaction | undefined } | undefined> {
    const cached = cache.get(signature);
    if (cached !== undefined) return cached;
    const landed = await chain.transaction(signature, 'finalized');
    if (landed === undefined) return undefined;
    const { fee, tokensAfter, error, wire } = landed;
    const decoded = error === undefined ? instructionsIn(wire) : undefined;
    const seen = { past: decoded && { ...decoded, signature, fee, tokensAfter } };
    cache.set(signature, seen);
    return seen;
  }

  /** Oldest first. Nodes may return fewer entries than the limit, so only an empty page marks the end. */
  async function signaturesOf(address: string): Promise<readonly string[]> {
    const signatures: string[] = [];
    for (let keys = NO_KEYS; ; ) {
      // Page from the second-last signature on: a node also returns an empty page for a `before` that it does not have.
      const [before, last] = signatures.slice(-2);
      const page = await chain.signaturesOf(address, {
        limit: PAGE,
        commitment: 'finalized',
        before,
      });
      if (last !== undefined && page[0]?.signature !== last)
        throw new HistoryIncomplete(`the node's list for ${address} does not continue after ${last}`);
      const older = last === undefined ? page : page.slice(1);
      if (older.length === 0) return signatures.reverse();
      signatures.push(...older.map(({ signature }) => signature));
      const next = afterKey(keys, signatures.at(-1) ?? '');
      if (next === undefined) throw new HistoryIncomplete(`the node's list for ${address} is cyclic`);
      keys = next;
    }
  }

  async function* landedOf(address: string): AsyncGenerator<PastTransaction> {
    const signatures = await signaturesOf(address);
    for (let from = 0; from < signatures.length; from += AHEAD) {
      const page = signatures.slice(from, from + AHEAD);
      for (const [index, found] of (await Promise.all(page.map(read))).entries()) {
        if (found === undefined)
          throw new HistoryIncomplete(
            `the node lists transaction ${page[index]} of ${address} but does not store it`,
          );
        if (found.past !== undefined) yield found.past;
      }
    }
  }

  return {
    /** Every successful transaction that names the account, oldest first. Rejects with `HistoryIncomplete`. */
    of: landedOf,
    /** Undefined if the chain does not have the transaction, or if it failed. */
    transaction: async (signature: string) => (await read(signature))?.past,
    async account(address: string) {
      const [account] = await chain.accounts([address], 'finalized');
      return account;
    },
  };
}
