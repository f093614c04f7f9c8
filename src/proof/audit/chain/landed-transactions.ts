/** Transactions that took effect, as a node shows them at `finalized`, with the addresses that their instructions name. */
import { addressOf, decodeTransaction, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { LRUCache } from 'lru-cache';
import { afterKey, NO_KEYS } from '../../../chain/page-keys.ts';
import type { AccountsAtSlot, Chain, HistoryEntry } from '../../../kernel/ports/chain.ts';

/** All that an audit of runs asks of a chain. */
export interface AuditedChain extends Pick<Chain, 'accounts' | 'transaction'> {
  /** See `Chain.signaturesOf`. */
  signaturesOf(
    ...asked: Parameters<Chain['signaturesOf']>
  ): Promise<readonly Pick<HistoryEntry, 'signature'>[]>;
  /** Like `Chain.accountsAt`, but only the owners, whatever the accounts hold. */
  accountsAt(
    addresses: readonly string[],
    commitment: 'finalized',
    options: { readonly mostData: number },
  ): Promise<Pick<AccountsAtSlot, 'accounts'>>;
}

export interface NamedInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
}

interface LandedInstructions {
  readonly payer: string;
  readonly signers: readonly string[];
  readonly instructions: readonly NamedInstruction[];
}

export interface PastTransaction extends LandedInstructions {
  readonly signature: string;
  /** Lamports. */
  readonly fee: bigint;
  /** Base units, or lamports of wrapped SOL, that each token account held right behind it; undefined where the node has none. */
  readonly tokensAfter: ReadonlyMap<string, bigint> | undefined;
}

/** Undefined for bytes that are no transaction. Accounts from lookup tables have no name here. */
export function instructionsIn(wire: Uint8Array): LandedInstructions | undefined {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return undefined;
  const { message } = decoded.transaction;
  const names = message.accountKeys.map(addressOf);
  return {
    payer: names[0] ?? '',
    signers: names.slice(0, message.requiredSignatures),
    instructions: message.instructions.map(({ programIndex, accountIndexes, data }) => ({
      program: names[programIndex] ?? '',
      accounts: [...accountIndexes].map((index) => names[index] ?? ''),
      data: Buffer.from(data),
    })),
  };
}

/** The SOL that an instruction of the system program transfers; undefined for any other. */
export function solTransferIn({
  program,
  accounts: [from = '', to = ''],
  data,
}: NamedInstruction): { readonly from: string; readonly to: string; readonly lamports: bigint } | undefined {
  const isTransfer = program === SYSTEM_PROGRAM && data.length >= 12 && data.readUInt32LE(0) === 2;
  return isTransfer ? { from, to, lamports: data.readBigUInt64LE(4) } : undefined;
}

/** The node lists a transaction that it does not have, or its list leads in a circle: nothing can be proven then. */
export class HistoryIncomplete extends Error {
  override readonly name = 'HistoryIncomplete';
}

const PAGE = 1_000;
/** Requested ahead of what is checked. */
const AHEAD = 16;
const CACHED = 256;

export function createChainHistory(chain: AuditedChain) {
  const cache = new LRUCache<string, { readonly past: PastTransaction | undefined }>({ max: CACHED });

  /** Undefined if the chain does not have it; without a past if it failed. */
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

  /** Oldest first. Nodes give fewer than they are asked for, so that only an empty page is the end. */
  async function signaturesOf(address: string): Promise<readonly string[]> {
    const signatures: string[] = [];
    for (let keys = NO_KEYS; ; ) {
      // From the last but one on, where there is one: a node that does not know the place gives an empty page as well.
      const [before, last] = signatures.slice(-2);
      const page = await chain.signaturesOf(address, {
        limit: PAGE,
        commitment: 'finalized',
        before,
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
      for (const [index, found] of (await Promise.all(page.map(read))).entries()) {
        if (found === undefined)
          throw new HistoryIncomplete(`the node lists ${page[index]} of ${address} and does not have it`);
        if (found.past !== undefined) yield found.past;
      }
    }
  }

  return {
    /** Every transaction that names the account and did not fail, the oldest first. Rejects with `HistoryIncomplete`. */
    of: landedOf,
    /** Undefined if the chain does not have it, or if it failed. */
    transaction: async (signature: string) => (await read(signature))?.past,
    async account(address: string) {
      const [account] = await chain.accounts([address], 'finalized');
      return account;
    },
  };
}
