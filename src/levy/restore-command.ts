/**
 * `levy restore`: restores a backup into the empty stores that the environment configures. All files are copied into
 * the data folder and verified there. Then data for a store on a server are moved to that server. No service starts before
 * this is complete.
 */

import { readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { parseCheckpoint } from 'levy-transparency-log';
import { openFileBlobStore } from '../adapters/file/blob-store.ts';
import { adapterFor } from '../app/adapters.ts';
import { closingAfter } from '../app/closing.ts';
import { dataLayout, LOG_FILE, localStores, SECRETS } from '../app/data-folder.ts';
import { eventStoreSettings, FILE_STORES, openFileStore, openLog } from '../app/stores.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { loggerTo } from '../kernel/ports/logger.ts';
import { schemeOf } from '../kernel/ports/technology.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { appendLog, countEqual } from '../operations/archive/append-log.ts';
import { isIntact, putBlobs, putNamedFiles } from '../operations/archive/put-files.ts';
import { BACKUP_INFO, type BackupInfo } from '../operations/archive/take-backup.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import { markRestored, servedOrigin } from '../proof/transparency/log-files.ts';
import {
  type BytesDone,
  checkLog,
  chunksIn,
  damaged,
  filesIn,
  fillFolder,
  gapsOf,
  listedFiles,
  readBackupInfo,
  sumOf,
  writeFile,
} from './backup-folder.ts';
import { LevyCommand } from './levy-command.ts';
import type { Terminal } from './terminal.ts';

interface RestoreCommandOptions {
  readonly lastCheckpoint?: string;
  readonly filesOnly?: true;
}

export function restoreCommand(terminal: Terminal): Command {
  return new LevyCommand('restore')
    .summary('restore a backup into empty stores')
    .description(
      `Copies a backup into DATA_DIR, which must be empty, and compares every file with its SHA-256. If EVENT_STORE_URL,
IMAGE_STORE_URL or LEDGER_STORE_URL names a server, that part is then moved to the server's empty store, with the same ids and in the same order. No
service starts before the restore is complete; after an interruption, run the same command again.`,
    )
    .argument('<folder>', 'the backup')
    .option(
      '--last-checkpoint <file>',
      'the last checkpoint that the transparency log published (GET /log/checkpoint of the old service); if the backup has all its entries, the notary continues under the same name',
    )
    .addOption(
      new Option(
        '--files-only',
        'only restore images and ledgers that are missing or damaged in their stores; the service may run',
      ).conflicts('lastCheckpoint'),
    )
    .examples(`
  $ DATA_DIR=./data levy restore /backup/2026-05-04
      then restore the master seed, unless the backup has it, and start the service
  $ curl -s http://127.0.0.1:3000/log/checkpoint > last-checkpoint
  $ DATA_DIR=./data levy restore /backup/2026-05-04 --last-checkpoint last-checkpoint
      the old service still runs, or has not published anything since
  $ EVENT_STORE_URL='esdb://127.0.0.1:2113?tls=false' DATA_DIR=./data levy restore /backup/2026-05-04
      the log is restored to EventStoreDB`)
    .action(async (folder: string, { filesOnly, lastCheckpoint }: RestoreCommandOptions) => {
      if (!filesOnly) return restoreAll(terminal, folder, lastCheckpoint);
      const put = await restoreFiles(folder, process.env);
      await terminal.result(put, `restored: ${put.images} images, ${put.ledgers} ledger files`);
    });
}

async function restoreAll(terminal: Terminal, folder: string, lastCheckpoint?: string): Promise<void> {
  const { info, ...restored } = await restore(folder, { env: process.env, lastCheckpoint, terminal });
  const { missingLedgers, dataDirectory, hasSecrets, lacksChain, stoppedLog } = restored;
  const gaps = gapsOf(info, missingLedgers);
  if (gaps.length > 0) terminal.foundSomething();
  const remarks = [
    ...gaps,
    lacksChain &&
      'The backup contains no embedded chain: start the service with the same CHAIN_URL. Without it, the service would create an empty embedded chain, and refuse the log.',
    !hasSecrets &&
      'The backup contains no secrets: restore the master seed (MASTER_SEED_FILE) and the key of access tokens (JWT_KEY_FILE) before the service starts.',
    stoppedLog !== undefined &&
      `The notary of the log ${stoppedLog} will sign nothing, because events after the backup may already be published under this name. Set LOG_ORIGIN to a new name and inform the auditors, or restore again with --last-checkpoint.`,
    'Start the service: it builds the read models again, and reads from the chain which transactions were sent after the backup. Subscribers that are ahead of the backup are refused and must start again.',
  ];
  await terminal.result(
    { ...restored, ...info },
    `restored into ${dataDirectory}: ${info.events} events, as of ${info.takenAt} (position ${info.head})`,
    remarks.filter((remark) => remark !== false),
  );
}

interface RestoreOptions {
  readonly env: NodeJS.ProcessEnv;
  /** File with the last published checkpoint of the transparency log. */
  readonly lastCheckpoint?: string | undefined;
  /** Shows the progress. */
  readonly terminal?: Terminal;
}

export async function restore(folder: string, options: RestoreOptions) {
  const configuration = readConfiguration(options.env);
  requireDefaultPlaces(configuration);
  const { lastCheckpoint: file, terminal } = options;
  const lastCheckpoint = file === undefined ? undefined : await readCheckpoint(file);
  const info = await readBackupInfo(folder);
  const dataDirectory = resolve(configuration.dataDirectory);
  return fillFolder(dataDirectory, false, async () => {
    const paths = await copyAll(folder, dataDirectory, terminal?.progress('restoring', 'bytes'));
    const origin = await recordCheckpoint(dataDirectory, info, lastCheckpoint);
    const { faults, missingLedgers } = await checkLog(dataDirectory, info);
    if (faults[0] !== undefined) throw new OperatorError(`${faults[0]}. Restore another backup`);
    await moveToServers(configuration, info, terminal);
    return {
      info,
      missingLedgers,
      dataDirectory,
      hasSecrets: paths.has(SECRETS.masterSeedFile),
      /** True if the service is configured for an embedded chain, and the backup contains none. */
      lacksChain: configuration.chain.isEmbedded && !paths.has(dataLayout.chain),
      /** Name of the transparency log whose notary stops until the operator decides how to continue; undefined without one. */
      stoppedLog: lastCheckpoint === undefined ? origin : undefined,
    };
  });
}

/**
 * Restores the images and ledgers of a backup that are missing or damaged in their stores. A service may use the stores
 * concurrently.
 */
export async function restoreFiles(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly images: number; readonly ledgers: number }> {
  await readBackupInfo(folder);
  const configuration = readConfiguration(env);
  return closingAfter(async (whenClosing) => {
    const put = { images: 0, ledgers: 0 };
    for (const what of ['images', 'ledgers'] as const) {
      const { store } = await openFileStore(what, configuration);
      whenClosing(() => store.close());
      for await (const { path, sha256 } of listedFiles(folder)) {
        // Files of other kinds are not named by their hashes.
        if (!path.startsWith(`${what}/`) || basename(path) !== sha256 || (await isIntact(store, sha256)))
          continue;
        if ((await store.put(chunksIn(folder, path))) !== sha256)
          throw new OperatorError(`${damaged(folder, path)}. Use another backup`);
        put[what] += 1;
      }
    }
    return put;
  });
}

/** Copies and verifies every listed file. Returns the paths. */
async function copyAll(
  folder: string,
  target: string,
  progress: BytesDone = () => undefined,
): Promise<ReadonlySet<string>> {
  const unlisted = new Set(await filesIn(folder));
  const paths = new Set<string>();
  let bytes = 0;
  for await (const { path, sha256 } of listedFiles(folder)) {
    const pieces = chunksIn(folder, path);
    // backup.json is not copied, because it would mark the target as a backup.
    const copied = await (path === BACKUP_INFO
      ? sumOf(pieces)
      : writeFile(join(target, path), pieces, (size) => progress(bytes + size)));
    if (copied.sha256 !== sha256) throw new OperatorError(`${damaged(folder, path)}. Restore another backup`);
    bytes += copied.bytes;
    paths.add(path);
    unlisted.delete(path);
  }
  for (const path of unlisted)
    throw new OperatorError(`"${join(folder, path)}" does not belong to the backup; remove the file`);
  return paths;
}

/** The log on a server is marked as incomplete until everything is restored, so that no process starts on a part. */
async function moveToServers(
  configuration: Configuration,
  info: BackupInfo,
  terminal: Terminal | undefined,
): Promise<void> {
  const { dataDirectory, eventStore } = configuration;
  const path = join(dataDirectory, LOG_FILE);
  const open = adapterFor('event-store', eventStore.url).openForRestore;
  await closingAfter(async (whenClosing) => {
    const logger = loggerTo((message) => terminal?.note(message));
    const target = await open?.(await eventStoreSettings(configuration, logger));
    if (target === undefined) return moveFiles(configuration);
    whenClosing(target.close);
    const source = await openLog({}, `sqlite:${path}`);
    whenClosing(source.close);
    // A different log is refused before it is marked.
    const existing = await countEqual(source, target.store);
    await target.begin();
    await moveFiles(configuration);
    const progress = terminal?.progress('appending', 'events');
    await appendLog(source, target.store, {
      there: existing,
      progress: (events) => progress?.(events, info.events),
    });
    await target.finish();
  });
  if (open !== undefined) await rm(path);
}

async function moveFiles(configuration: Configuration): Promise<void> {
  for (const what of ['images', 'ledgers'] as const) {
    const { key, content } = FILE_STORES[what];
    if (schemeOf(configuration[key].url) === 'file') continue;
    const folder = join(configuration.dataDirectory, what);
    await closingAfter(async (whenClosing) => {
      const source = await openFileBlobStore(folder, content);
      whenClosing(() => source.close());
      const { store: target } = await openFileStore(what, configuration);
      whenClosing(() => target.close());
      if (what === 'ledgers') await putNamedFiles(source, target);
      await putBlobs(source, target);
    });
    await rm(folder, { recursive: true });
  }
}

async function readCheckpoint(file: string) {
  try {
    const note = await readFile(file, 'utf8');
    return { file, note, origin: parseCheckpoint(note).checkpoint.origin };
  } catch (error) {
    const reason = errorMessage(error);
    throw new OperatorError(`"${file}" (--last-checkpoint) is not a checkpoint: ${reason}`, { cause: error });
  }
}

/** A backup prevents its notary from signing; the last checkpoint lets the notary continue. Returns the name of the log. */
async function recordCheckpoint(
  dataDirectory: string,
  { takenAt }: BackupInfo,
  given: Awaited<ReturnType<typeof readCheckpoint>> | undefined,
): Promise<string | undefined> {
  const blobs = await openFileBlobStore(join(dataDirectory, 'ledgers'));
  try {
    const origin = await servedOrigin(blobs);
    if (origin === undefined || given === undefined) return origin;
    if (given.origin !== origin)
      throw new OperatorError(
        `"${given.file}" (--last-checkpoint) belongs to the log ${given.origin}, but the backup contains the log ${origin}`,
      );
    await markRestored(blobs, origin, { takenAt, lastCheckpoint: given.note });
    return origin;
  } finally {
    await blobs.close();
  }
}

const PLACES = new Map([
  ['EVENT_STORE_URL', LOG_FILE],
  ['IMAGE_STORE_URL', 'images'],
  ['LEDGER_STORE_URL', 'ledgers'],
]);

/** Requires default paths: a backup is a data folder, so files are restored into one. */
function requireDefaultPlaces(configuration: Configuration): void {
  const { dataDirectory } = configuration;
  for (const { variable, path } of localStores(configuration))
    if (PLACES.has(variable) && path !== resolve(dataDirectory, PLACES.get(variable) ?? ''))
      throw new OperatorError(
        `${variable} must be within DATA_DIR ("${dataDirectory}"), into which files are restored; unset it, restore, and then move the files`,
      );
}
