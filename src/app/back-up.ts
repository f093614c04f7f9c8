/** Backs up the service that the environment describes, or one that runs, into a folder. */
import { readFile } from 'node:fs/promises';
import pTimeout from 'p-timeout';
import { readOperatorKey } from '../adapters/file/secrets.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import { unpaced } from '../operations/archive/pace.ts';
import { takeBackup } from '../operations/archive/take-backup.ts';
import { entriesIn } from '../operations/archive/tar.ts';
import { readConfiguration } from '../operations/config/configuration.ts';
import { openStoppedSource } from './backup-source.ts';
import { dataLayout, SECRETS } from './data-layout.ts';
import { baseOf, refusalOf, unreachable } from './service-log.ts';
import { VERSION } from './version.ts';
import { type WriteBackupOptions, type WrittenBackup, writeBackup } from './write-backup.ts';

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
    return writeBackup(folder, () => entriesIn(requestBackup({ url: service, operatorKey })), written);
  }
  if (operatorKeyFile !== undefined) {
    throw new OperatorError('--operator-key-file is for --service: give the address of the service as well');
  }
  const source = await openStoppedSource(readConfiguration(env), options);
  try {
    const taking = { layout: dataLayout, version: VERSION, now: systemClock.now, pace: unpaced };
    return await writeBackup(folder, (scratch) => takeBackup(source, { ...taking, scratch }), written);
  } finally {
    await source.close();
  }
}

/** They never leave a service by its API: only who can read the files gets them into a backup. */
async function readSecrets(env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, Uint8Array>> {
  const configuration = readConfiguration(env);
  const found = new Map<string, Uint8Array>();
  for (const [key, name] of Object.entries(SECRETS) as [keyof typeof SECRETS, string][]) {
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

/** Milliseconds for which the service may send nothing. */
const SILENCE = 60_000;

/** The bytes as they are received. Throws `OperatorError` where the service refuses. */
async function* requestBackup(options: {
  readonly url: string;
  readonly operatorKey: string;
}): AsyncGenerator<Uint8Array, void> {
  const base = baseOf(options.url);
  const leaving = new AbortController();
  try {
    const response = await withinSilence(
      fetch(new URL('operator/backups', base), {
        method: 'POST',
        headers: { 'x-operator-key': options.operatorKey },
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
      const { value, done } = await withinSilence(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    leaving.abort();
  }
}

function withinSilence<Result>(waiting: Promise<Result>): Promise<Result> {
  return pTimeout(waiting, { milliseconds: SILENCE, message: `it sent nothing for ${SILENCE / 1_000} s` });
}
