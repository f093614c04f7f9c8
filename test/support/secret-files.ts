/** The secrets of a service that makes none by itself, since its store or its chain is not its own. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyring, type Keyring } from '../../src/chain/keys.ts';
import { createKey } from '../../src/server/auth/signing-key.ts';

/** Secret files in the folder, created if missing, with the names that a service expects in its data directory. */
export async function secretsIn(folder: string): Promise<{
  readonly keyring: Keyring;
  readonly environment: { readonly MASTER_SEED_FILE: string; readonly JWT_KEY_FILE: string };
}> {
  const environment = {
    MASTER_SEED_FILE: join(folder, 'master-seed'),
    JWT_KEY_FILE: join(folder, 'jwt-key.json'),
  };
  const found = await readFile(environment.MASTER_SEED_FILE, 'utf8').catch(() => undefined);
  if (found !== undefined) return { keyring: createKeyring(Buffer.from(found.trim(), 'hex')), environment };
  const seed = randomBytes(32);
  await writeFile(environment.MASTER_SEED_FILE, `${seed.toString('hex')}\n`, { mode: 0o600 });
  await writeFile(environment.JWT_KEY_FILE, `${JSON.stringify(await createKey())}\n`, { mode: 0o600 });
  return { keyring: createKeyring(seed), environment };
}
