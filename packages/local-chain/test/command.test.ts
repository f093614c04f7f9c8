// The command as a user starts it: a process of its own, stopped by a signal, that finds its chain again.
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram } from '@solana/web3.js';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually, fundedKeypair, openChain, send, temporaryFolder } from './chain-under-test.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(PACKAGE, 'bin/levy-local-chain.js');
/** From the sources, so that no build is needed before. */
const FROM_SOURCES = ['--import', 'tsx', '--conditions=levy-source'];

const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

function start(args: readonly string[], flags: readonly string[] = FROM_SOURCES, bin = BIN): Started {
  const child = spawn(process.execPath, [...flags, bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
  return { child, ended };
}

/** Resolves with the address that the process says it listens on. */
async function urlOf({ child, ended }: Started): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no output');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(({ code, stderr }) => `ended with ${code}: ${stderr}`),
  ]);
  expect(line).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+$/);
  return line.replace('Listening on ', '');
}

test('a chain that is stopped and started again in its folder still has every balance', async () => {
  const folder = join(await temporaryFolder(), 'made', 'by-the-command');
  const first = start(['--port', '0', '--data', folder, '--slot-ms', '50']);
  const connection = new Connection(await urlOf(first), 'confirmed');
  const payer = await fundedKeypair(connection, 5);
  const to = Keypair.generate().publicKey;
  const transfer = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: to,
    lamports: LAMPORTS_PER_SOL,
  });
  const signature = await send(connection, [transfer], [payer]);
  first.child.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' });

  const second = start(['--port', '0', '--data', folder, '--slot-ms', '50']);
  const again = new Connection(await urlOf(second), 'confirmed');
  expect(await again.getBalance(to)).toBe(LAMPORTS_PER_SOL);
  const { value } = await again.getSignatureStatuses([signature], { searchTransactionHistory: true });
  expect(value[0]?.err).toBeNull();
  second.child.kill('SIGINT');
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' });
  await eventually(
    async () =>
      await again.getSlot().then(
        () => false,
        () => true,
      ),
  );
});

describe('what keeps it from starting is told in a line, and by the exit code:', () => {
  test('an argument that cannot be meant', async () => {
    const { code, stdout, stderr } = await start(['--port', 'eighty']).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'levy-local-chain: --port must be a whole number from 0 to 65535, not "eighty"\n' +
        'Try `levy-local-chain --help`.\n',
    );
  });

  test('a folder that another chain holds', async () => {
    const { dataDir } = await openChain();
    const inUse = await start(['--port', '0', '--data', dataDir]).ended;
    expect(inUse).toMatchObject({ code: 1, stdout: '' });
    expect(inUse.stderr).toContain(
      `levy-local-chain: the local chain did not start: the local chain's data folder ${dataDir} is in use by another process\n`,
    );
  });

  test('a port that is taken', async () => {
    const { port } = new URL((await openChain()).chain.url);
    const taken = await start(['--port', port, '--data', await temporaryFolder()]).ended;
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toMatch(/^levy-local-chain: the local chain did not start: .*EADDRINUSE.*\n$/);
  });

  test('a package that was not built', async () => {
    const folder = join(await temporaryFolder(), 'levy-local-chain');
    await mkdir(join(folder, 'bin'), { recursive: true });
    for (const file of ['package.json', 'bin/levy-local-chain.js']) {
      await cp(join(PACKAGE, file), join(folder, file));
    }
    const unbuilt = await start(['--help'], [], join(folder, 'bin/levy-local-chain.js')).ended;
    expect(unbuilt).toMatchObject({ code: 1, stdout: '' });
    expect(unbuilt.stderr).toMatch(/^levy-local-chain is not built: run `.*npm run build`.*\n$/);
  });
});
