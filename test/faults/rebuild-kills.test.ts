/** Rebuilding killed at any moment: what was read is read on, and running them again ends the work. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { levy } from '../support/levy-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ARCHIVE = fileURLToPath(new URL('../recorded/data.tar.gz', import.meta.url));

test('killed at any moment, rebuilding is done by running it again', async () => {
  const folder = await temporaryFolder();
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', folder]);
  const data = join(folder, 'data');
  expect((await levy(data, ['rebuild'])).code).toBe(0);
  for (const milliseconds of [250, 400, 550, 700]) {
    await levy(data, ['rebuild'], AbortSignal.timeout(milliseconds));
    const compared = await levy(data, ['rebuild', '--compare', '--json']);
    expect([milliseconds, compared.code, compared.stderr]).toEqual([milliseconds, 0, '']);
  }
  expect(await levy(data, ['rebuild'])).toMatchObject({ code: 0, stderr: '' });
}, 120_000);
