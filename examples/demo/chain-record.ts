/** Finalized transactions of the chain, and balances of wallets. */
import type { Connection, PublicKey } from '@solana/web3.js';
import { steadily } from './steady.ts';
import { hold } from './telling.ts';

interface TokenBalance {
  readonly owner: string;
  readonly mint: string;
  readonly uiTokenAmount: { readonly amount: string };
}

export interface Landed {
  readonly signature: string;
  readonly slot: number;
  readonly before: readonly TokenBalance[];
  readonly after: readonly TokenBalance[];
}

interface Answer {
  readonly result: {
    readonly slot: number;
    readonly meta: {
      readonly err: unknown;
      readonly preTokenBalances: readonly TokenBalance[];
      readonly postTokenBalances: readonly TokenBalance[];
    };
  } | null;
}

const ACCOUNTS_PER_CALL = 100;

/** Reads a transaction without the library, which does not support the newest transaction version. */
export async function landedTransaction(connection: Connection, signature: string): Promise<Landed> {
  const options = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 1 };
  const { slot, meta } = await steadily(async () => {
    const response = await fetch(connection.rpcEndpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, options] }),
    });
    const { result } = (await response.json()) as Answer;
    if (!result) throw new Error(`${signature} is not final`);
    return result;
  });
  hold(meta.err === null, `the transaction ${signature} succeeded`);
  return { signature, slot, before: meta.preTokenBalances, after: meta.postTokenBalances };
}

/** Total base units that the owner's accounts of the mint gained. */
export function tokensGained({ before, after }: Landed, owner: string, mint: string): bigint {
  return tokensIn(after, owner, mint) - tokensIn(before, owner, mint);
}

/** Base units in the owner's accounts of the mint after the transaction, if the transaction names the accounts. */
export function tokensHeld({ after }: Landed, owner: string, mint: string): bigint {
  return tokensIn(after, owner, mint);
}

function tokensIn(balances: readonly TokenBalance[], owner: string, mint: string): bigint {
  return balances
    .filter((balance) => balance.owner === owner && balance.mint === mint)
    .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n);
}

/** Lamports of each wallet, by address. */
export async function lamportsOf(
  connection: Connection,
  wallets: readonly PublicKey[],
  commitment: 'confirmed' | 'finalized',
): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map<string, bigint>();
  for (let from = 0; from < wallets.length; from += ACCOUNTS_PER_CALL) {
    const page = wallets.slice(from, from + ACCOUNTS_PER_CALL);
    const accounts = await steadily(() => connection.getMultipleAccountsInfo(page, commitment));
    for (const [index, wallet] of page.entries())
      found.set(wallet.toBase58(), BigInt(accounts[index]?.lamports ?? 0));
  }
  return found;
}
