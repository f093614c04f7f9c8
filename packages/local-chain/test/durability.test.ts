// What was answered stays: over restarts, kills of either process, and a folder put back from a copy.
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { openLocalChain } from '../src/local-chain.ts';
import { eventually, fundedKeypair, openChain, send, signed, temporaryFolder } from './chain-under-test.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a chain that is opened again goes on where it was', async () => {
  const first = await openChain();
  const payer = await fundedKeypair(first.connection, 3);
  const to = Keypair.generate().publicKey;
  const transfer = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: to,
    lamports: LAMPORTS_PER_SOL,
  });
  const transaction = await signed(first.connection, [transfer], [payer]);
  const signature = await first.connection.sendRawTransaction(transaction.serialize());
  const genesis = await first.connection.getGenesisHash();
  const slot = await first.connection.getSlot();
  const found = await first.connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 1,
  });
  await first.chain.close();

  const { connection } = await openChain({ dataDir: first.dataDir });
  expect(await connection.getGenesisHash()).toBe(genesis);
  expect(await connection.getSlot()).toBeGreaterThanOrEqual(slot);
  expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
  expect(
    await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 1,
    }),
  ).toEqual(found);
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow(
    /already been processed/,
  );
});

test('slots never go back, also when they are longer than they were', async () => {
  const fast = await openChain({ slotMilliseconds: 1 });
  const slot = await eventually(async () => {
    const now = await fast.connection.getSlot();
    return now > 200 && now;
  });
  await fast.chain.close();
  const { connection } = await openChain({ dataDir: fast.dataDir, slotMilliseconds: 400 });
  expect(await connection.getSlot()).toBeGreaterThan(slot);
});

test('a chain that is killed right after each answer comes back on its port with all of it', async () => {
  const logged: string[] = [];
  const dataDir = await temporaryFolder();
  const chain = await openLocalChain({ dataDir, port: 0, log: (message) => logged.push(message) });
  try {
    const connection = new Connection(chain.url, 'confirmed');
    const to = Keypair.generate().publicKey;
    for (let round = 1; round <= 3; round += 1) {
      const { pid } = chain.status();
      if (pid === undefined) throw new Error('the chain has no process');
      const signature = await connection.requestAirdrop(to, LAMPORTS_PER_SOL);
      process.kill(pid, 'SIGKILL');
      const { value } = await eventually(() => connection.getSignatureStatuses([signature]));
      expect(value[0]?.err).toBeNull();
      expect(await connection.getBalance(to)).toBe(round * LAMPORTS_PER_SOL);
      expect(chain.status()).toMatchObject({ up: true, restarts: round, lastExit: 'signal SIGKILL' });
    }
    expect(logged.filter((message) => message.includes('signal SIGKILL'))).toHaveLength(3);
    expect(logged.filter((message) => message.includes('restarted on port'))).toHaveLength(3);
  } finally {
    await chain.close();
  }
});

test('the chain ends with its parent, however that ends', async () => {
  const dataDir = await temporaryFolder();
  const parent = startParent(dataDir);
  const chainPid = Number(await firstLine(parent));
  parent.kill('SIGKILL');
  await eventually(async () => !isAlive(chainPid));
  const { connection } = await openChain({ dataDir });
  expect(await connection.getSlot()).toBeGreaterThanOrEqual(0);
});

/** Opens a chain and tells its process id: when it listens, or as soon as there is one, and then ends by a kill. */
function startParent(
  dataDir: string,
  { untilSpawned = false }: { readonly untilSpawned?: boolean } = {},
): ChildProcess {
  const module = new URL('../src/local-chain.ts', import.meta.url).href;
  const killAtSpawn = `
    const { subscribe } = await import('node:diagnostics_channel');
    const { writeSync } = await import('node:fs');
    subscribe('child_process', ({ process: child }) => {
      child.once('spawn', () => {
        if (!child.spawnargs.some((argument) => argument.includes('chain-process'))) return;
        writeSync(1, child.pid + '\\n');
        process.kill(process.pid, 'SIGKILL');
      });
    });
  `;
  const program = `
    const { openLocalChain } = await import(${JSON.stringify(module)});
    ${untilSpawned ? killAtSpawn : ''}
    const chain = await openLocalChain({ dataDir: ${JSON.stringify(dataDir)}, port: 0 });
    console.log(chain.status().pid);
  `;
  return spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=levy-source', '--input-type=module', '-e', program],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the parent has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the parent ended without a word');
}

test('a folder put back from an older copy is a fork: what came after the copy never happened', async () => {
  const first = await openChain();
  const payer = await fundedKeypair(first.connection, 5);
  const kept = Keypair.generate().publicKey;
  const dropped = Keypair.generate().publicKey;
  const transfer = (toPubkey: typeof kept) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: LAMPORTS_PER_SOL });
  await send(first.connection, [transfer(kept)], [payer]);
  await first.chain.close();
  const copy = await temporaryFolder();
  await cp(first.dataDir, copy, { recursive: true });

  const second = await openChain({ dataDir: first.dataDir });
  const transaction = await signed(second.connection, [transfer(dropped)], [payer]);
  const signature = await second.connection.sendRawTransaction(transaction.serialize());
  const slot = await second.connection.getSlot();
  await second.chain.close();

  await rm(first.dataDir, { recursive: true });
  await cp(copy, first.dataDir, { recursive: true });
  const { connection } = await openChain({ dataDir: first.dataDir });
  expect(await connection.getSlot()).toBeGreaterThanOrEqual(slot);
  expect(await connection.getBalance(kept)).toBe(LAMPORTS_PER_SOL);
  expect(await connection.getBalance(dropped)).toBe(0);
  expect((await connection.getSignatureStatuses([signature])).value).toEqual([null]);
  expect(await connection.sendRawTransaction(transaction.serialize())).toBe(signature);
  expect(await connection.getBalance(dropped)).toBe(LAMPORTS_PER_SOL);
});

test('two chains have nothing in common', async () => {
  const [one, other] = [await openChain(), await openChain()];
  expect(await one.connection.getGenesisHash()).not.toBe(await other.connection.getGenesisHash());
  const { blockhash } = await one.connection.getLatestBlockhash();
  expect((await other.connection.isBlockhashValid(blockhash, { commitment: 'confirmed' })).value).toBe(false);
});

test('what is done while a copy is taken sees a chain that stands still, and the copy has nothing that came after', async () => {
  const { chain, connection } = await openChain();
  const to = Keypair.generate().publicKey;
  await connection.requestAirdrop(to, LAMPORTS_PER_SOL);
  const folder = await temporaryFolder();
  let isAnswered = false;
  let late: Promise<unknown> = Promise.resolve();
  await chain.copyTo(join(folder, 'chain.db'), async () => {
    late = connection.requestAirdrop(to, LAMPORTS_PER_SOL).then(() => {
      isAnswered = true;
    });
    await expect(fetch(`${chain.url}/health`)).resolves.toMatchObject({ status: 200 });
    expect(isAnswered).toBe(false);
  });
  await late;
  expect(await connection.getBalance(to)).toBe(2 * LAMPORTS_PER_SOL);
  const copied = await openChain({ dataDir: folder });
  expect(await copied.connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
});

test('a copy that is given up while the chain waits leaves no file, and the chain goes on', async () => {
  const { chain, connection } = await openChain();
  const folder = await temporaryFolder();
  const refused = chain.copyTo(join(folder, 'chain.db'), async () => {
    throw new Error('given up');
  });
  await expect(refused).rejects.toThrow('given up');
  expect(await readdir(folder)).toEqual([]);
  await connection.requestAirdrop(Keypair.generate().publicKey, LAMPORTS_PER_SOL);
  await chain.copyTo(join(folder, 'chain.db'));
  expect(await readdir(folder)).toEqual(['chain.db']);
});
