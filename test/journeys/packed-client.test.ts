/** The client as others install it: packed, in a folder of its own, compiled strictly and run against a service. */
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { openTestService } from '../support/service.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = ['levy-client', 'levy-solana-wire', 'levy-transparency-log'];

const PROGRAM = `
import { createLevyClient, LevyError, quoteTransfer, type TokenCard } from 'levy-client';

declare const process: { readonly argv: readonly string[] };
const levy = createLevyClient({ baseUrl: process.argv[2] ?? '' });
const { tokens, pagination } = await levy.get('/tokens');
const cards: readonly TokenCard[] = tokens;
// @ts-expect-error No such route exists.
const refused: unknown = await levy.get('/nothing').catch((error: unknown) => error);
const { fee } = quoteTransfer('1000', { transferFeePercent: 2.5, transferFeeMaximum: null });
console.log(JSON.stringify([cards.length, pagination.total, refused instanceof LevyError && refused.code, fee]));
`;

const run = promisify(execFile);

test('the packed client installs, compiles and calls a service', { timeout: 180_000 }, async () => {
  const [service, folder] = await Promise.all([
    openTestService({ NONCE_ACCOUNTS_MIN: '0' }),
    folderForTheFile(),
  ]);
  const packed = PACKAGES.flatMap((name) => ['-w', name]);
  await run('npm', ['pack', ...packed, '--pack-destination', folder], { cwd: PROJECT });
  const archives = (await readdir(folder)).map((name) => join(folder, name));
  expect(archives).toHaveLength(PACKAGES.length);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  const inFolder = { cwd: folder };
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...archives], inFolder);
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom'];
  await run(
    process.execPath,
    [join(PROJECT, 'node_modules/typescript/bin/tsc'), ...options, 'program.ts'],
    inFolder,
  );
  const { stdout } = await run(process.execPath, ['program.js', service.url], inFolder);
  expect(JSON.parse(stdout)).toEqual([0, 0, 'ROUTE_NOT_FOUND', '25']);
});
