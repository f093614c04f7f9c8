/** The example that gives an operator a key of the service: the key that the service itself derives, in a file of its own. */
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createKeyring } from '../../src/chain/keys.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/export-key.mjs', import.meta.url));
const SEED = Buffer.alloc(32, 7);

/** Error output of a failed call; undefined after a successful one. */
function run(...given: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...given], (error, _out, said) =>
      resolve(error === null ? undefined : said),
    );
  });
}

test('the treasury and a distribution wallet are exported as the service derives them', async () => {
  const folder = await temporaryFolder();
  const seed = join(folder, 'master-seed');
  await writeFile(seed, `${SEED.toString('hex')}\n`);
  const walletId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const keyring = createKeyring(SEED);
  for (const [path, key] of [
    ['levy/v1/treasury', keyring.treasury],
    [`levy/v1/distribution-wallet/${walletId}`, keyring.distributionWallet(walletId)],
  ] as const) {
    const out = join(folder, `${key.address}.json`);
    expect(await run('--seed', seed, '--path', path, '--out', out)).toBeUndefined();
    expect(JSON.parse(await readFile(out, 'utf8'))).toEqual([...key.secretKey]);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await run('--seed', seed, '--path', path, '--out', out)).toContain('is left as it is');
  }
});
