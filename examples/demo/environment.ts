/** Environment of the demo's service: a new log in the configured store, and new secrets. */
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '../../src/server/auth/signing-key.ts';

/** Retains the operator's variables, except those that must be new: the folder, and the log's prefix in a shared store. */
export async function demoEnvironment(
  folder: string,
  operatorKey: string,
  port: string,
): Promise<NodeJS.ProcessEnv> {
  const given = process.env;
  const run = `demo_${randomBytes(4).toString('hex')}`;
  const seed = join(folder, 'master-seed');
  const key = join(folder, 'jwt-key.json');
  const isEmbedded = !/^(esdb|kurrentdb)/i.test(given.EVENT_STORE_URL ?? '');
  // The service generates secrets only for an embedded store, because several processes share the others.
  if (!isEmbedded) {
    await writeFile(seed, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
    await writeFile(key, `${JSON.stringify(await createKey())}\n`, { mode: 0o600 });
  }
  return {
    ...given,
    HOST: '127.0.0.1',
    PORT: given.PORT ?? port,
    LOCAL_CHAIN_PORT: '0',
    // Address at which `npm start` serves the folder later: images and metadata are recorded with their addresses.
    PUBLIC_URL: given.PUBLIC_URL ?? 'http://127.0.0.1:3000',
    CHAIN_URL: 'local:',
    // Finality takes 32 slots, which are half a second here.
    LOCAL_CHAIN_SLOT_MS: given.LOCAL_CHAIN_SLOT_MS ?? '15',
    OPERATOR_KEYS: `demo:${createHash('sha256').update(operatorKey).digest('hex')}`,
    // The demo polls runs.
    RATE_LIMITS: 'general=100000/15m',
    DATA_DIR: folder,
    MASTER_SEED_FILE: seed,
    JWT_KEY_FILE: key,
    EVENT_STORE_PREFIX: run,
    PUBLISHER_STREAM: run.toUpperCase(),
    PUBLISHER_SUBJECT_PREFIX: `${run}.`,
    LOG_LEVEL: 'warn',
  };
}
