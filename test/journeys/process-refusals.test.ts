/** Obstacles to startup that an operator can remove are reported in one sentence, and logs contain no tokens. */
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/levy/check.ts';
import { createKey } from '../../src/server/auth/signing-key.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { openCreator } from '../support/creator.ts';
import { listening } from '../support/listening.ts';
import type { Environment } from '../support/service.ts';
import { type Ended, endOfServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** One line that says what is wrong, and nothing of our insides. */
function expectSentence({ code, signal, stdout, stderr }: Ended, saying: RegExp): void {
  expect([code, signal, stdout]).toEqual([1, null, '']);
  const lines = stderr.split('\n').filter((line) => line.startsWith('levy cannot start: '));
  expect(lines).toEqual([expect.stringMatching(saying)]);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toMatch(/node_modules|\.[jt]s:\d/);
}

/** A folder with the secrets that a service on a chain of others needs, and that environment. */
async function onAnotherChain(chainUrl: string): Promise<{ folder: string; environment: Environment }> {
  const folder = await folderForTheFile();
  await writeFile(join(folder, 'master-seed'), `${'0123456789abcdef'.repeat(4)}\n`, { mode: 0o600 });
  await writeFile(join(folder, 'jwt-key.json'), `${JSON.stringify(await createKey())}\n`, { mode: 0o600 });
  return { folder, environment: { CHAIN_URL: chainUrl, PUBLIC_URL: 'https://levy.example.com' } };
}

/** With those in folders below. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.map((name) => join(folder, name));
}

describe('a start is refused in a sentence, without a stack,', () => {
  test('when the chain does not answer', async () => {
    const { folder, environment } = await onAnotherChain('http://127.0.0.1:1');
    expectSentence(await endOfServiceProcess(environment, { folder }), /chain/);
  });

  test('when what answers is no chain', async () => {
    const port = await listening(createHttpServer((_request, response) => response.end('<html>')));
    const { folder, environment } = await onAnotherChain(`http://127.0.0.1:${port}`);
    const keyed = { ...environment, CHAIN_URL: `${environment.CHAIN_URL}/the-key?api-key=the-key` };
    const ended = await endOfServiceProcess(keyed, { folder });
    expectSentence(ended, new RegExp(`the chain node at 127.0.0.1:${port} sent no JSON-RPC response`));
    expect(ended.stderr).not.toContain('the-key');
  });
});

test('what the process writes is for its owner alone, also where the folders are open to others', async () => {
  const folder = await folderForTheFile();
  await chmod(folder, 0o755);
  const apart = await folderForTheFile();
  await chmod(apart, 0o755);
  const environment = { READ_MODEL_URL: `sqlite:${apart}/read.db`, NONCE_ACCOUNTS_MIN: '0' };
  const service = await startServiceProcess(environment, { folder });
  await (await openCreator(service, { sol: 0 })).upload();
  expect((await service.stop()).code).toBe(0);
  const written = await Promise.all([folder, apart].map(filesIn));
  expect(written.map(({ length }) => length > 0)).toEqual([true, true]);
  const modes = await Promise.all(
    written.flat().map(async (path) => ({ path, mode: (await stat(path)).mode })),
  );
  expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
});

test('a master seed that is made, and a misspelt variable, are told loudly at the start', async () => {
  const folder = await folderForTheFile();
  const seed = join(folder, 'mistyped', 'seed');
  const service = await startServiceProcess(
    { MASTER_SEED_FILE: seed, PRIORITY_FEE_MA: '3', NONCE_ACCOUNTS_MIN: '0' },
    { folder },
  );
  const { stderr } = await service.stop();
  const warnings = stderr.split('\n').filter((line) => line.startsWith('{"level":40'));
  expect(warnings).toEqual([
    expect.stringContaining('"given":"PRIORITY_FEE_MA","meant":"PRIORITY_FEE_MAX"'),
    expect.stringMatching(/mistyped\/seed".*master seed created: keep a copy/),
  ]);
  const checked = await check({
    DATA_DIR: folder,
    MASTER_SEED_FILE: seed,
    PRIORITY_FEE_MA: '3',
    PORT: '0',
  });
  expect(checked.holds).toBe(true);
  expect(checked.parts[0]?.remarks).toEqual([
    'the variable PRIORITY_FEE_MA is unknown and has no effect; did you mean PRIORITY_FEE_MAX?',
  ]);
});
