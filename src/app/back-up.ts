/** Backs up the service that the environment describes, or one that runs, into a folder. */
import { readFile } from 'node:fs/promises';
import pTimeout from 'p-timeout';
import { readOperatorKey } from '../adapters/file/secrets.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import { BACKUP_MEDIA_TYPE, framesOf, partsOf } from '../operations/archive/frames.ts';
import { unpaced } from '../operations/archive/pace.ts';
import { takeBackup } from '../operations/archive/take-backup.ts';
import {
  type WriteBackupOptions,
  type WrittenBackup,
  writeBackup,
} from '../operations/archive/write-backup.ts';
import { readConfiguration } from '../operations/config/configuration.ts';
import { openBackupSource } from './archive-stores.ts';
import { baseOf, refusalOf, unreachable } from './service-log.ts';
import { VERSION } from './version.ts';

export interface BackUpOptions extends Pick<WriteBackupOptions, 'progress' | 'checking'> {
  readonly env: NodeJS.ProcessEnv;
  readonly service?: string | undefined;
  readonly operatorKeyFile?: string | undefined;
  readonly withSecrets: boolean;
  readonly logger: Logger;
}

export async function backUp(folder: string, options: BackUpOptions): Promise<WrittenBackup> {
  const { service, operatorKeyFile, env } = options;
  const secrets = options.withSecrets ? await readSecrets(env) : new Map<string, Uint8Array>();
  const written = { ...options, secrets };
  if (service !== undefined) {
    if (operatorKeyFile === undefined) {
      throw new OperatorError(
        "a service gives its backup to operators alone: give --operator-key-file, a file (mode 0600) with an operator's key",
      );
    }
    const operatorKey = await readOperatorKey(operatorKeyFile);
    return writeBackup(folder, partsOf(askForBackup({ url: service, operatorKey })), written);
  }
  if (operatorKeyFile !== undefined) {
    throw new OperatorError('--operator-key-file is for --service: give the address of the service as well');
  }
  const source = await openBackupSource(readConfiguration(env), options);
  try {
    const parts = takeBackup(source, { version: VERSION, now: systemClock.now, pace: unpaced });
    return await writeBackup(folder, partsOf(framesOf(parts)), written);
  } finally {
    await source.close();
  }
}

/** The names under which a backup keeps them. */
export const SECRET_NAMES = { masterSeedFile: 'master-seed', jwtKeyFile: 'jwt-key' } as const;

/** They never leave a service by its API: only who can read the files gets them into a backup. */
async function readSecrets(env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, Uint8Array>> {
  const configuration = readConfiguration(env);
  const found = new Map<string, Uint8Array>();
  for (const [key, name] of Object.entries(SECRET_NAMES) as [keyof typeof SECRET_NAMES, string][]) {
    const file = configuration[key];
    try {
      found.set(name, await readFile(file));
    } catch (error) {
      throw new OperatorError(
        `--with-secrets needs the file "${file}", which cannot be read: run it where DATA_DIR, MASTER_SEED_FILE and JWT_KEY_FILE of the service are, as its user`,
        { cause: error },
      );
    }
  }
  return found;
}

/** Milliseconds for which the service may say nothing. */
const SILENCE = 60_000;

/** The bytes, as they come. Throws `OperatorError` where the service refuses. */
async function* askForBackup(options: {
  readonly url: string;
  readonly operatorKey: string;
}): AsyncGenerator<Uint8Array, void> {
  const base = baseOf(options.url);
  const leaving = new AbortController();
  try {
    const response = await spoken(
      fetch(new URL('operator/backups', base), {
        method: 'POST',
        headers: { 'x-operator-key': options.operatorKey, accept: BACKUP_MEDIA_TYPE },
        redirect: 'error',
        signal: leaving.signal,
      }),
    ).catch((error: unknown) => {
      throw unreachable(base, error);
    });
    if (!response.ok || response.body === null) {
      const { message } = await refusalOf(response, base);
      throw new OperatorError(message);
    }
    const reader = response.body.getReader();
    for (;;) {
      const { value, done } = await spoken(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    leaving.abort();
  }
}

function spoken<Result>(waiting: Promise<Result>): Promise<Result> {
  return pTimeout(waiting, { milliseconds: SILENCE, message: `it said nothing for ${SILENCE / 1_000} s` });
}
