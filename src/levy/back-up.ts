/** Backs up the service that the environment describes, or one that runs, into a folder. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { copyStoppedChain, LocalChainUnavailable } from 'levy-local-chain';
import pTimeout from 'p-timeout';
import { chainFileOf, chainFolderOf, dataLayout, requireComplete, SECRETS } from '../app/data-folder.ts';
import { openFileStore, openLog } from '../app/stores.ts';
import { VERSION } from '../app/version.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import { unpaced } from '../operations/archive/pace.ts';
import { type BackupSource, takeBackup } from '../operations/archive/take-backup.ts';
import { entriesIn } from '../operations/archive/tar.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import {
  type RunningService,
  refusalOf,
  runningServiceAt,
  type ServicePlace,
  unreachable,
} from './running-service.ts';
import { type WriteBackupOptions, type WrittenBackup, writeBackup } from './write-backup.ts';

export interface BackUpOptions extends ServicePlace, Pick<WriteBackupOptions, 'progress'> {
  readonly env: NodeJS.ProcessEnv;
  readonly withSecrets: boolean;
  readonly logger: Logger;
}

export async function backUp(folder: string, options: BackUpOptions): Promise<WrittenBackup> {
  const { env } = options;
  const service = await runningServiceAt(options);
  const secrets = options.withSecrets ? await readSecrets(env) : new Map<string, Uint8Array>();
  const written = { ...options, secrets };
  if (service !== undefined) return writeBackup(folder, () => entriesIn(requestBackup(service)), written);
  const configuration = readConfiguration(env);
  requireComplete(configuration);
  const source = await openStoppedSource(configuration, options);
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
async function* requestBackup({ base, operatorKey }: RunningService): AsyncGenerator<Uint8Array, void> {
  const leaving = new AbortController();
  try {
    const response = await withinSilence(
      fetch(new URL('operator/backups', base), {
        method: 'POST',
        headers: { 'x-operator-key': operatorKey },
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

/** The stores of a service that is stopped, or whose log is on a server. */
async function openStoppedSource(
  configuration: Configuration,
  { env, logger }: { readonly env: NodeJS.ProcessEnv; readonly logger: Logger },
): Promise<BackupSource & { close(): Promise<void> }> {
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    const log = await openLog({}, { env, logger });
    opened.push(log.close);
    const { store: blobs } = await openFileStore('ledgers', configuration);
    opened.push(() => blobs.close());
    const { store: images } = await openFileStore('images', configuration);
    opened.push(() => images.close());
    const { head, events, extentOf } = log;
    const copyChain = stoppedChain(configuration);
    return { head, events, extentOf, blobs, images, copyChain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Undefined where the service's chain is elsewhere, or was never started. */
function stoppedChain(configuration: Configuration): BackupSource['copyChain'] {
  if (!configuration.chain.isEmbedded || !existsSync(chainFileOf(configuration))) return undefined;
  return async (target, atThatMoment) => {
    await atThatMoment();
    try {
      copyStoppedChain(chainFolderOf(configuration), target);
    } catch (error) {
      if (!(error instanceof LocalChainUnavailable)) throw error;
      throw new OperatorError(`${error.message}: stop the service first, or ask it (--service)`, {
        cause: error,
      });
    }
  };
}
