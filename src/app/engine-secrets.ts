/** Reads the master seed and the key of access tokens, and makes them where an embedded service starts for the first time. */
import { dirname } from 'node:path';
import { readJwtKey, readMasterSeed } from '../adapters/file/secrets.ts';
import { createKeyring, type Keyring } from '../chain/keys.ts';
import { START } from '../kernel/ports/event-store.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createKey, parseSigningKey, type SigningKey } from '../server/auth/signing-key.ts';
import type { Foundation } from './foundation.ts';

export interface EngineSecrets {
  readonly keyring: Keyring;
  /** Signs access tokens; undefined if none are issued. */
  readonly signingKey: SigningKey | undefined;
}

export async function readEngineSecrets({ configuration, log, store }: Foundation): Promise<EngineSecrets> {
  // Created only before the log begins: what is missing after that was lost, and must not be created again.
  const mayCreate = configuration.embedded && (await store.head()) === START;
  const { seed, created } = await readMasterSeed(configuration.masterSeedFile, { mayCreate });
  const signingKey = configuration.roles.has('api')
    ? await readSigningKey(configuration, mayCreate)
    : undefined;
  if (created) {
    const { masterSeedFile: file, dataDirectory } = configuration;
    // A file elsewhere was named on purpose: that it was not there may be a mistake in its path.
    log[dirname(file) === dataDirectory ? 'info' : 'warn'](
      { file },
      'master seed created: keep a copy of this file, without it the collected tax is lost',
    );
  }
  if (mayCreate && !created) {
    log.warn(
      {},
      'event log empty but master seed present: if this service has run before, its log is missing',
    );
  }
  return { keyring: createKeyring(seed), signingKey };
}

async function readSigningKey(
  { jwtKeyFile }: Pick<Configuration, 'jwtKeyFile'>,
  mayCreate: boolean,
): Promise<SigningKey> {
  return (await readJwtKey(jwtKeyFile, { mayCreate, make: createKey, parse: parseSigningKey })).key;
}
