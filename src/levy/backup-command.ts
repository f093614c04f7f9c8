/** `levy backup`: creates a verified copy of the data of a running or stopped service. */

import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { Value } from '@sinclair/typebox/value';
import type { Command } from 'commander';
import { copyStoppedChain } from 'levy-local-chain';
import { syncDirectory } from '../adapters/file/durable-file.ts';
import { createLogFile, type LogFile } from '../adapters/sqlite/write-log.ts';
import { closingAfter, type WhenClosing } from '../app/closing.ts';
import {
  chainFileOf,
  chainFolderOf,
  dataLayout,
  isBackup,
  isDataFile,
  LOG_FILE,
  requireServiceFolders,
  SECRETS,
  SUMS,
} from '../app/data-folder.ts';
import { openFileStore, openLog } from '../app/stores.ts';
import { VERSION } from '../app/version.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { parsedJson } from '../kernel/runtime/bounded-input.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { unpaced } from '../operations/archive/background-pace.ts';
import {
  BACKUP_INFO,
  type BackupEntry,
  type BackupSource,
  eventIn,
  LOG_EVENTS,
  LOG_POSITIONS,
  LogPositions,
  takeBackup,
} from '../operations/archive/take-backup.ts';
import { entriesIn } from '../operations/archive/tar.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import {
  type BytesDone,
  type CheckedBackup,
  checkBackup,
  chunksIn,
  fillFolder,
  gapsOf,
  namesIn,
  sumOf,
  writeFile,
} from './backup-folder.ts';
import { LevyCommand } from './levy-command.ts';
import { withService } from './log-location.ts';
import { ask, received, runningServiceAt, type ServicePlace } from './service-client.ts';
import type { Terminal } from './terminal.ts';

interface BackupOptions extends ServicePlace {
  readonly withSecrets?: boolean;
}

export function backupCommand(terminal: Terminal): Command {
  return withService(
    new LevyCommand('backup'),
    'the running service to back up (default: the stopped service of the environment)',
  )
    .summary('back up the log, the ledgers and the images')
    .description(
      `Copies the log, the ledgers (with the transparency log), the images and the embedded chain into a folder, in the layout of a data folder, and checks
the copy by reading all of it. A running service sends the backup itself and keeps working. Until it is complete, the folder is called <folder>.partial:
after an interruption, run the same command again.`,
    )
    .argument('<folder>', 'target folder; must be missing or empty')
    .option(
      '--with-secrets',
      'include the master seed and the key of access tokens: the backup then gives control of all wallets',
    )
    .examples(`
  $ levy backup /backup/$(date +%F) --service http://127.0.0.1:3000 --operator-key-file ~/operator.key
      of a running service
  $ levy backup /backup/$(date +%F) --with-secrets
      of a stopped service, as configured by the environment, with the seed`)
    .action(async (folder: string, options: BackupOptions) => {
      const {
        info,
        faults: _none,
        ...written
      } = await backUp(folder, {
        ...options,
        env: process.env,
        progress: terminal.progress('copying', 'bytes'),
      });
      const { missingLedgers, files, bytes } = written;
      const { events, unreadable } = info;
      const gaps = gapsOf(info, missingLedgers);
      if (gaps.length > 0) terminal.foundSomething();
      await terminal.result(
        { ...written, ...info },
        `backed up and checked: ${events} events, ${files} files (${bytes.toLocaleString('en-US')} bytes) in ${written.folder}`,
        [
          ...(unreadable === 0 ? [] : [`${unreadable} events are unparseable and were copied unchanged`]),
          ...gaps,
          options.withSecrets
            ? 'The backup contains the master seed: store it where nobody else can read it.'
            : 'The backup does not contain the master seed: store a copy of the seed separately (--with-secrets, or the file itself).',
        ],
      );
    });
}

export async function backUp(
  folder: string,
  options: BackupOptions & { readonly env: NodeJS.ProcessEnv; readonly progress?: BytesDone },
): Promise<CheckedBackup & { readonly folder: string }> {
  const { env, withSecrets, progress, operatorKeyFile } = options;
  const service =
    options.service === undefined ? undefined : await runningServiceAt(options.service, operatorKeyFile);
  const secrets = withSecrets ? await readSecrets(env) : undefined;
  const write = (entries: (scratch: string) => AsyncIterable<BackupEntry>) =>
    writeBackup(folder, entries, { secrets, progress });
  if (service !== undefined)
    return write(() => entriesIn(received(ask(service, 'operator/backups', { method: 'POST' }))));
  const configuration = readConfiguration(env);
  requireServiceFolders(configuration, { isRead: true });
  return closingAfter(async (whenClosing) => {
    const source = await openStoppedSource(configuration, env, whenClosing);
    const taking = { layout: dataLayout, version: VERSION, now: systemClock.now, pace: unpaced };
    return write((scratch) => takeBackup(source, { ...taking, scratch }));
  });
}

/**
 * Reads the secrets, which the API never returns: only an operator who can read the files gets them into a backup.
 * Keyed by their paths in a data folder.
 */
async function readSecrets(env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, Uint8Array>> {
  const configuration = readConfiguration(env);
  const found = new Map<string, Uint8Array>();
  for (const [key, name] of Object.entries(SECRETS) as [keyof typeof SECRETS, string][]) {
    const file = configuration[key];
    try {
      found.set(name, await readFile(file));
    } catch (error) {
      throw new OperatorError(
        `--with-secrets cannot read the file "${file}"; run the command with DATA_DIR, MASTER_SEED_FILE and JWT_KEY_FILE of the service, as its user`,
        { cause: error },
      );
    }
  }
  return found;
}

/** Opens the stores of a stopped service, or of a service whose log is on a server. */
async function openStoppedSource(
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
  whenClosing: WhenClosing,
): Promise<BackupSource> {
  const { head, events, extentOf, close } = await openLog(env);
  whenClosing(close);
  const { store: blobs } = await openFileStore('ledgers', configuration);
  whenClosing(() => blobs.close());
  const { store: images } = await openFileStore('images', configuration);
  whenClosing(() => images.close());
  const hasChain = configuration.chain.isEmbedded && existsSync(chainFileOf(configuration));
  const copyChain: BackupSource['copyChain'] = async (target, atThatMoment) => {
    await atThatMoment();
    copyStoppedChain(chainFolderOf(configuration), target);
  };
  return { head, events, extentOf, blobs, images, ...(hasChain && { copyChain }) };
}

interface WriteBackupOptions {
  /** Keyed by their paths in a data folder; only if the operator requested them. */
  readonly secrets?: ReadonlyMap<string, Uint8Array> | undefined;
  readonly progress?: BytesDone | undefined;
}

/** `entries` gets an empty folder for temporary files. Rejects with `OperatorError` if the target is not empty. */
export async function writeBackup(
  target: string,
  entries: (scratch: string) => AsyncIterable<BackupEntry>,
  options: WriteBackupOptions = {},
) {
  const folder = resolve(target);
  if ((await namesIn(folder)).length > 0)
    throw new OperatorError(
      `"${folder}" is not empty and a backup replaces nothing; choose a folder that does not exist`,
    );
  const partial = `${folder}.partial`;
  try {
    // A backup is renamed only when it is complete.
    const checked = await fillFolder(partial, isBackup(partial), async () => {
      await writeAll(partial, entries, options);
      const found = await checkBackup(partial, options.progress);
      const [fault] = found.faults;
      if (fault !== undefined) throw new OperatorError(`${fault}; run the backup again`);
      return found;
    });
    await rename(partial, folder).catch((error: unknown) => {
      throw new OperatorError(
        `the backup is complete in "${partial}" but cannot be renamed to "${folder}": ${errorMessage(error)}. Rename it, or choose a missing folder below the mounted one`,
        { cause: error },
      );
    });
    await syncDirectory(dirname(folder));
    return { ...checked, folder };
  } catch (error) {
    // Fails if the folder is not empty, which is intended.
    await rmdir(partial).catch(() => undefined);
    throw error;
  }
}

/** Maximum bytes of a part of the log; its last event may have a mebibyte. */
const MAX_CHUNK = 16 * 1024 * 1024;

async function writeAll(
  folder: string,
  entries: (scratch: string) => AsyncIterable<BackupEntry>,
  { secrets = new Map(), progress = () => undefined }: WriteBackupOptions,
): Promise<void> {
  const scratch = join(folder, 'scratch');
  await mkdir(scratch, { mode: 0o700 });
  const sums: string[] = [];
  let bytes = 0;
  const write = async (path: string, pieces: BackupEntry['chunks']) => {
    const written = await writeFile(join(folder, path), pieces, (size) => progress(bytes + size));
    bytes += written.bytes;
    sums.push(`${written.sha256}  ${path}\n`);
  };
  let log: LogFile | undefined;
  let latest = '';
  try {
    for await (const { path, size, chunks } of entries(scratch)) {
      latest = path;
      if (path === BACKUP_INFO || (path !== LOG_FILE && isDataFile(path))) {
        await write(path, chunks);
        continue;
      }
      // Part of the log, from whose events a log file is built.
      const text = size > MAX_CHUNK ? '' : await textOf(Readable.from(chunks));
      const positions = path === LOG_POSITIONS ? parsedJson(text) : undefined;
      const events = path.startsWith(LOG_EVENTS) ? text.trimEnd().split('\n').map(eventIn) : [];
      if (log === undefined && Value.Check(LogPositions, positions))
        log = createLogFile(join(folder, LOG_FILE), positions);
      else if (log !== undefined && events.length > 0 && events.every((event) => event !== undefined))
        await log.add(events);
      else
        throw new OperatorError(
          `the backup contains an unexpected or invalid file, ${JSON.stringify(path)}; use the same release as the service`,
        );
      bytes += size;
      progress(bytes);
    }
    if (latest !== BACKUP_INFO)
      throw new OperatorError('the backup is incomplete and was discarded; try again');
    await log?.finish();
  } finally {
    await log?.close();
  }
  const { sha256 } = await sumOf(chunksIn(folder, LOG_FILE));
  sums.push(`${sha256}  ${LOG_FILE}\n`);
  for (const [path, content] of secrets) await write(path, [content]);
  await rm(scratch, { recursive: true });
  await writeFile(join(folder, SUMS), [Buffer.from(sums.join(''))]);
}
