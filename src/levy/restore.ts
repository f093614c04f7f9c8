/** Restores a backup into an empty data folder, in which no service starts before everything was compared. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseCheckpoint } from 'levy-transparency-log';
import { openFileBlobStore } from '../adapters/file/blob-store.ts';
import { makePrivateDirectory } from '../adapters/file/durable-file.ts';
import { dataLayout, LOG_FILE, SECRETS } from '../app/data-folder.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { BACKUP_INFO, type BackupInfo } from '../operations/archive/take-backup.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import { markRestored, servedOrigin } from '../proof/transparency/log-files.ts';
import {
  type BytesDone,
  checkLog,
  damaged,
  filesIn,
  listedFiles,
  piecesIn,
  readBackupInfo,
  sumOf,
} from './backup-folder.ts';
import { fillFolder } from './marked-folder.ts';
import { writeFile } from './write-backup.ts';

export interface RestoreOptions {
  readonly env: NodeJS.ProcessEnv;
  /** A file with the last checkpoint of the transparency log that was published. */
  readonly lastCheckpoint?: string | undefined;
  readonly progress?: BytesDone;
}

export interface Restored {
  readonly info: BackupInfo;
  readonly missingLedgers: readonly string[];
  readonly dataDirectory: string;
  /** The seed was in the backup. */
  readonly hasSecrets: boolean;
  /** The service is to run on an embedded chain, and the backup has none. */
  readonly lacksChain: boolean;
  /** The transparency log whose notary stops until the operator decides how to continue; undefined if none does. */
  readonly stoppedLog: string | undefined;
}

export async function restore(folder: string, options: RestoreOptions): Promise<Restored> {
  const configuration = readConfiguration(options.env);
  requireDefaultPlaces(configuration);
  const { lastCheckpoint: file, progress = () => undefined } = options;
  const lastCheckpoint = file === undefined ? undefined : await readCheckpoint(file);
  const info = await readBackupInfo(folder);
  const dataDirectory = resolve(configuration.dataDirectory);
  return fillFolder(dataDirectory, 'levy restore', async () => {
    const paths = await copyAll(folder, dataDirectory, progress);
    const origin = await recordCheckpoint(dataDirectory, info, lastCheckpoint);
    const { faults, missingLedgers } = await checkLog(dataDirectory, info);
    if (faults[0] !== undefined) throw new OperatorError(`${faults[0]}. Restore another backup`);
    return {
      info,
      missingLedgers,
      dataDirectory,
      hasSecrets: paths.has(SECRETS.masterSeedFile),
      lacksChain: configuration.chain.isEmbedded && !paths.has(dataLayout.chain),
      stoppedLog: lastCheckpoint === undefined ? origin : undefined,
    };
  });
}

/** Copies every listed file, and compares it meanwhile. Returns the paths. */
async function copyAll(folder: string, target: string, progress: BytesDone): Promise<ReadonlySet<string>> {
  const unlisted = new Set(await filesIn(folder));
  const paths = new Set<string>();
  let bytes = 0;
  for await (const { path, sha256 } of listedFiles(folder)) {
    const place = join(target, path);
    const shown = (size: number) => progress(bytes + size);
    await makePrivateDirectory(dirname(place));
    // It would mark the target as a backup.
    const copied = await (path === BACKUP_INFO
      ? sumOf(piecesIn(folder, path), () => undefined)
      : writeFile(place, piecesIn(folder, path), shown));
    if (copied.sha256 !== sha256) throw new OperatorError(`${damaged(folder, path)}. Restore another backup`);
    bytes += copied.bytes;
    paths.add(path);
    unlisted.delete(path);
  }
  for (const path of unlisted)
    throw new OperatorError(`"${join(folder, path)}" does not belong to the backup: remove it`);
  return paths;
}

interface GivenCheckpoint {
  readonly file: string;
  readonly note: string;
  readonly origin: string;
}

async function readCheckpoint(file: string): Promise<GivenCheckpoint> {
  try {
    const note = await readFile(file, 'utf8');
    return { file, note, origin: parseCheckpoint(note).checkpoint.origin };
  } catch (error) {
    const reason = messageOf(error);
    throw new OperatorError(`"${file}" (--last-checkpoint) is no checkpoint: ${reason}`, { cause: error });
  }
}

/** A backup keeps its notary from signing; the last checkpoint lets it continue. Returns the name of its log. */
async function recordCheckpoint(
  dataDirectory: string,
  { takenAt }: BackupInfo,
  given: GivenCheckpoint | undefined,
): Promise<string | undefined> {
  const blobs = await openFileBlobStore(join(dataDirectory, 'ledgers'));
  try {
    const origin = await servedOrigin(blobs);
    if (origin === undefined || given === undefined) return origin;
    if (given.origin !== origin)
      throw new OperatorError(
        `"${given.file}" (--last-checkpoint) is of the log ${given.origin}, and the backup has the log ${origin}`,
      );
    await markRestored(blobs, origin, { takenAt, lastCheckpoint: given.note });
    return origin;
  } finally {
    await blobs.close();
  }
}

/** A backup is a data folder, so everything is restored to where a data folder has it. */
function requireDefaultPlaces({ dataDirectory, eventStore, imageStore, ledgerStore }: Configuration): void {
  const places = [
    ['EVENT_STORE_URL', eventStore.url, `sqlite:${join(dataDirectory, LOG_FILE)}`],
    ['IMAGE_STORE_URL', imageStore.url, `file:${join(dataDirectory, 'images')}`],
    ['LEDGER_STORE_URL', ledgerStore.url, `file:${join(dataDirectory, 'ledgers')}`],
  ] as const;
  for (const [name, url, expected] of places)
    if (schemeOf(url) !== schemeOf(expected) || resolve(pathIn(url)) !== resolve(pathIn(expected)))
      throw new OperatorError(
        `${name} names another place than DATA_DIR ("${dataDirectory}"), and a backup is restored into that: unset it, restore, and move what was restored with "levy copy" or "levy copy-files"`,
      );
}
