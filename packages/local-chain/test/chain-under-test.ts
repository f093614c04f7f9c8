/** Opens local chains in temporary folders for one test file, and waits for what the chain does by itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type Signer,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { afterAll } from 'vitest';
import { type LocalChain, type LocalChainOptions, openLocalChain } from '../src/local-chain.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function openChain(
  options: Partial<LocalChainOptions> = {},
): Promise<{ chain: LocalChain; connection: Connection; dataDir: string }> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const chain = await openLocalChain({ port: 0, ...options, dataDir });
  cleanups.push(() => chain.close());
  return { chain, connection: new Connection(chain.url, 'confirmed'), dataDir };
}

/** A new key with SOL. */
export async function fundedKeypair(connection: Connection, sol = 10): Promise<Keypair> {
  const keypair = Keypair.generate();
  await connection.requestAirdrop(keypair.publicKey, sol * LAMPORTS_PER_SOL);
  return keypair;
}

/** Signed on the newest blockhash; the first signer pays. */
export async function signed(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  signers: readonly [Signer, ...Signer[]],
): Promise<Transaction> {
  const { blockhash } = await connection.getLatestBlockhash();
  return signedOn(blockhash, instructions, signers);
}

export function signedOn(
  blockhash: string,
  instructions: readonly TransactionInstruction[],
  signers: readonly [Signer, ...Signer[]],
): Transaction {
  const transaction = new Transaction().add(...instructions);
  transaction.recentBlockhash = blockhash;
  transaction.feePayer = signers[0].publicKey;
  transaction.sign(...signers);
  return transaction;
}

export async function send(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  signers: readonly [Signer, ...Signer[]],
): Promise<string> {
  return connection.sendRawTransaction((await signed(connection, instructions, signers)).serialize());
}

/** Asks again until the answer is there. */
export async function eventually<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const answer = await ask().catch(() => undefined);
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come about within 10 s');
}

export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One POST with exactly this body. */
export async function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

export async function rpc(url: string, method: string, ...params: readonly unknown[]): Promise<RpcAnswer> {
  const response = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return (await response.json()) as RpcAnswer;
}
