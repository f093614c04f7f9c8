/** Writes the entries of a backup into a folder, which takes its own name when everything was read again. */

import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { makePrivateDirectory, syncDirectory } from '../adapters/file/durable-file.ts';
import { adapterFor } from '../app/adapters.ts';
import { isBackup, isDataFile, LOG_FILE, SUMS } from '../app/data-folder.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { WritableLog } from '../kernel/ports/log-writer.ts';
import { silentLogger } from '../kernel/ports/logger.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { parsedJson } from '../kernel/runtime/parsed-json.ts';
import { eventIn } from '../operations/archive/log-lines.ts';
import {
  BACKUP_INFO,
  type BackupEntry,
  LOG_EVENTS,
  LOG_POSITIONS,
  LogPositions,
} from '../operations/archive/take-backup.ts';
import { type BytesDone, type CheckedBackup, checkBackup, piecesIn, sumOf } from './backup-folder.ts';
import { fillFolder, namesIn } from './marked-folder.ts';

export interface WriteBackupOptions {
  /** Keyed by their paths in a data folder; only where the operator asked for them. */
  readonly secrets: ReadonlyMap<string, Uint8Array>;
  readonly progress?: BytesDone;
}

export interface WrittenBackup extends CheckedBackup {
  readonly folder: string;
}

/** `entries` gets an empty folder for temporary files. Rejects with `OperatorError` if the target is not empty. */
export async function writeBackup(
  target: string,
  entries: (scratch: string) => AsyncIterable<BackupEntry>,
  options: WriteBackupOptions,
): Promise<WrittenBackup> {
  const folder = resolve(target);
  if ((await namesIn(folder)).length > 0)
    throw new OperatorError(
      `"${folder}" is not empty, and a backup replaces nothing: name a folder that does not exist yet`,
    );
  const partial = `${folder}.partial`;
  const checked = await fillFolder(partial, 'levy backup', async () => {
    await writeAll(partial, entries, options);
    const found = await checkBackup(partial, options.progress);
    const [fault] = found.faults;
    if (fault !== undefined) throw new OperatorError(`${fault}: take the backup again`);
    return found;
  }).catch((error: unknown) => removed(partial, error));
  await rename(partial, folder).catch((error: unknown) =>
    removed(
      partial,
      new OperatorError(
        `the backup cannot take the name "${folder}": ${messageOf(error)}. Name a folder that does not exist yet, below the one that is mounted`,
        { cause: error },
      ),
    ),
  );
  await syncDirectory(dirname(folder));
  return { ...checked, folder };
}

async function removed(partial: string, reason: unknown): Promise<never> {
  // Files of others stay.
  if ((await namesIn(partial)).length === 0 || isBackup(partial))
    await rm(partial, { recursive: true, force: true });
  throw reason;
}

async function writeAll(
  folder: string,
  entries: (scratch: string) => AsyncIterable<BackupEntry>,
  { secrets, progress = () => undefined }: WriteBackupOptions,
): Promise<void> {
  const scratch = join(folder, 'scratch');
  await mkdir(scratch, { mode: 0o700 });
  const sums: string[] = [];
  let bytes = 0;
  let latest = '';
  const write = async (entry: BackupEntry) => {
    const written = await writeEntry(folder, entry, (size) => progress(bytes + size));
    bytes += written.bytes;
    sums.push(`${written.sha256}  ${entry.path}\n`);
  };
  const log = createLogFile(folder);
  try {
    for await (const entry of entries(scratch)) {
      latest = entry.path;
      if (!(await log.takes(entry))) {
        await write(entry);
        continue;
      }
      bytes += entry.size;
      progress(bytes);
    }
    if (latest !== BACKUP_INFO)
      throw new OperatorError('the backup was cut off before its end: nothing of it is kept; try again');
    await log.finish();
  } finally {
    await log.close();
  }
  const { sha256 } = await sumOf(piecesIn(folder, LOG_FILE), () => undefined);
  sums.push(`${sha256}  ${LOG_FILE}\n`);
  for (const [path, content] of secrets) await write({ path, size: content.length, pieces: [content] });
  await rm(scratch, { recursive: true });
  await writeFile(join(folder, SUMS), [Buffer.from(sums.join(''))], () => undefined);
}

/** Bytes of the longest part of a log: the last of its events may have a mebibyte. */
const LARGEST_PIECE = 16 * 1024 * 1024;

/** Makes the file of the log of its events, with the writer of `levy copy`. */
function createLogFile(folder: string) {
  let log: WritableLog | undefined;
  return {
    /** False if it is no entry of the log. */
    async takes({ path, size, pieces }: BackupEntry): Promise<boolean> {
      if (path !== LOG_POSITIONS && !path.startsWith(LOG_EVENTS)) return false;
      if (size > LARGEST_PIECE) throw noBackup(path);
      if (path === LOG_POSITIONS) {
        const positions = parsedJson(await textOf(pieces));
        if (!Value.Check(LogPositions, positions)) throw noBackup(path);
        const url = `sqlite:${join(folder, LOG_FILE)}`;
        log = await adapterFor('event-store', url).openForCopying?.(
          { url, prefix: '', logger: silentLogger },
          positions,
        );
        return true;
      }
      const events = (await textOf(pieces)).trimEnd().split('\n').map(eventIn);
      if (log === undefined || !events.every((event) => event !== undefined)) throw noBackup(path);
      await log.writer.add(events);
      return true;
    },
    async finish() {
      await log?.writer.finish();
      await this.close();
    },
    async close() {
      await log?.close();
      log = undefined;
    },
  };
}

async function textOf(pieces: BackupEntry['pieces']): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString();
}

function noBackup(path: string): OperatorError {
  return new OperatorError(`a backup has no file ${JSON.stringify(path)} like this`);
}

async function writeEntry(
  folder: string,
  { path, pieces, file }: BackupEntry,
  progress: BytesDone,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  if (path !== BACKUP_INFO && (path === LOG_FILE || !isDataFile(path)))
    throw new OperatorError(`a backup has no file ${JSON.stringify(path)}`);
  const place = join(folder, path);
  await makePrivateDirectory(dirname(place));
  if (file === undefined) return writeFile(place, pieces, progress);
  await rename(file, place);
  return sumOf(piecesIn(folder, path), (_piece, bytes) => progress(bytes));
}

/** Rejects if there is such a file. */
export async function writeFile(
  place: string,
  pieces: BackupEntry['pieces'],
  progress: BytesDone,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const handle = await open(place, 'wx', 0o600);
  try {
    const written = await sumOf(pieces, async (piece, bytes) => {
      await handle.writeFile(piece);
      progress(bytes);
    });
    await handle.sync();
    return written;
  } finally {
    await handle.close();
  }
}
