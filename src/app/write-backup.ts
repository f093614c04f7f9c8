/** Writes the entries of a backup into a folder, which takes its own name when everything was read again. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makePrivateDirectory, syncDirectory } from '../adapters/file/durable-file.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { BACKUP_INFO, type BackupEntry } from '../operations/archive/take-backup.ts';
import { type BytesDone, type CheckedBackup, checkBackup, piecesIn, sumOf } from './backup-folder.ts';
import { isDataFile } from './data-layout.ts';
import { abandonFolder, beginFolder, completeFolder, namesIn, SUMS } from './folder-marks.ts';

export interface WriteBackupOptions {
  /** By their paths in a data folder; only where the operator asked for them. */
  readonly secrets: ReadonlyMap<string, Uint8Array>;
  readonly progress?: BytesDone;
  readonly checking?: BytesDone;
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
  await beginFolder(partial, 'levy backup');
  try {
    await writeAll(partial, entries, options);
    const checked = await checkBackup(partial, options.checking);
    const [fault] = checked.faults;
    if (fault !== undefined) throw new OperatorError(`${fault}: take the backup again`);
    await completeFolder(partial);
    await rename(partial, folder).catch((error: unknown) => {
      throw new OperatorError(
        `the backup cannot take the name "${folder}": ${messageOf(error)}. Name a folder that does not exist yet`,
        { cause: error },
      );
    });
    await syncDirectory(dirname(folder));
    return { ...checked, folder };
  } catch (error) {
    await abandonFolder(partial);
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
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
    latest = entry.path;
    const written = await writeEntry(folder, entry, (size) => progress(bytes + size));
    bytes += written.bytes;
    sums.push(`${written.sha256}  ${entry.path}\n`);
  };
  for await (const entry of entries(scratch)) if (!entry.path.endsWith('/')) await write(entry);
  if (latest !== BACKUP_INFO)
    throw new OperatorError('the backup was cut off before its end: nothing of it is kept; try again');
  for (const [path, content] of secrets) await write({ path, size: content.length, pieces: [content] });
  await rm(scratch, { recursive: true });
  await writeFile(join(folder, SUMS), [Buffer.from(sums.join(''))], () => undefined);
}

async function writeEntry(
  folder: string,
  { path, pieces, file }: BackupEntry,
  progress: BytesDone,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  if (path !== BACKUP_INFO && !isDataFile(path))
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
