/**
 * Folder of a backup: a data folder with `backup.json` and `SHA256SUMS`, which `sha256sum -c` can check. A folder is
 * marked as incomplete while a command writes into it.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Value } from '@sinclair/typebox/value';
import { makePrivateDirectory, syncDirectory, writeDurably } from '../adapters/file/durable-file.ts';
import { checkDatabase } from '../adapters/sqlite/check-database.ts';
import { INCOMPLETE, isDataFile, LOG_FILE, SUMS } from '../app/data-folder.ts';
import { openLog } from '../app/stores.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { parsedJson } from '../kernel/runtime/bounded-input.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { ledgersIn } from '../operations/archive/named-ledgers.ts';
import { BACKUP_INFO, type BackupEntry, BackupInfo } from '../operations/archive/take-backup.ts';

/** Bytes per read. */
const CHUNK = 256 * 1024;

export type CheckedBackup = Awaited<ReturnType<typeof checkBackup>>;

export type BytesDone = (bytes: number) => void;

/** Throws `OperatorError` unless the folder is a backup. */
export async function readBackupInfo(folder: string): Promise<BackupInfo> {
  const path = join(folder, BACKUP_INFO);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OperatorError(
      `"${folder}" is not a complete backup: ${BACKUP_INFO} is missing; use another backup`,
      { cause: error },
    );
  });
  const found = parsedJson(text);
  if (Value.Check(BackupInfo, found)) return found;
  throw new OperatorError(`"${path}" is damaged; use another backup`);
}

/** Reads every file, and changes none. Rejects with `OperatorError` if the folder is not a backup, or contains a link. */
export async function checkBackup(folder: string, progress: BytesDone = () => undefined) {
  const info = await readBackupInfo(folder);
  const faults: string[] = [];
  let [files, bytes] = [0, 0];
  const unlisted = new Set(await filesIn(folder));
  for await (const { path, sha256 } of listedFiles(folder)) {
    const found = await sumOf(chunksIn(folder, path), (_piece, size) => progress(bytes + size)).catch(
      errorMessage,
    );
    if (typeof found === 'string') faults.push(found);
    else if (found.sha256 !== sha256) faults.push(damaged(folder, path));
    else bytes += found.bytes;
    files += 1;
    unlisted.delete(path);
  }
  for (const path of unlisted) faults.push(`"${join(folder, path)}" is not listed in ${SUMS}`);
  const log = await checkLog(folder, info);
  return {
    info,
    files,
    bytes,
    /** Sentences about missing or damaged files. */
    faults: [...faults, ...log.faults],
    /** Ledgers that the log names and that were missing in the backed-up store. */
    missingLedgers: log.missingLedgers,
  };
}

/** Checks that the log in the folder is intact and complete; lists the missing ledgers that it names. */
export async function checkLog(folder: string, { events, unreadable, damaged }: BackupInfo) {
  const path = join(folder, LOG_FILE);
  const report = await checkDatabase(path).catch((error: unknown) => errorMessage(error));
  if (typeof report === 'string') return { faults: [report], missingLedgers: [] };
  const faults = report.findings
    // Unparseable events were unparseable before, and were copied unchanged.
    .filter(({ reason }) => unreadable === 0 || !reason.includes('is not JSON'))
    .map(({ reason }) => `the log "${path}" is damaged: ${reason}`);
  if (report.events !== events)
    faults.push(`the log "${path}" has ${report.events} events, but ${BACKUP_INFO} lists ${events}`);
  if (faults.length > 0) return { faults, missingLedgers: [] };
  const known = new Set(damaged.map(({ name }) => name));
  for (const file of await filesIn(folder)) known.add(basename(file));
  const missing = new Set<string>();
  const log = await openLog({}, `sqlite:${path}`);
  try {
    for await (const event of log.events())
      for (const sha256 of ledgersIn(event)) if (!known.has(sha256)) missing.add(sha256);
  } finally {
    await log.close();
  }
  return { faults, missingLedgers: [...missing] };
}

/** Sentences about files that are missing in an intact backup, because they were damaged or missing in the service's stores. */
export function gapsOf({ damaged }: BackupInfo, missingLedgers: readonly string[]): readonly string[] {
  return [
    ...damaged.map(
      ({ what, name }) =>
        `the ${what} ${name} in the store of ${what === 'image' ? 'images' : 'ledgers'} is damaged: its SHA-256 does not match its name. It is not in the backup; restore it from an earlier backup (docs/how-to/operate/repair-a-damaged-log.md)`,
    ),
    ...missingLedgers.map(
      (sha256) =>
        `the ledger file ${sha256}, which the log names, is missing; distributions that need it stop`,
    ),
  ];
}

/** Reads the list of files. Throws `OperatorError` if it is damaged. */
export async function* listedFiles(
  folder: string,
): AsyncGenerator<{ readonly path: string; readonly sha256: string }, void> {
  const list = await openFile(folder, SUMS);
  const lines = createInterface({
    input: list.createReadStream(),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (path !== BACKUP_INFO && !isDataFile(path))
      throw new OperatorError(`"${join(folder, SUMS)}" is damaged; use another backup`);
    yield { path, sha256 };
  }
}

/** Computes the SHA-256 and length of the pieces, after passing each to `handOn`. */
export async function sumOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  handOn: (piece: Uint8Array, bytes: number) => Promise<void> | void = () => undefined,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
    await handOn(piece, bytes);
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Reads a file. Throws `OperatorError` for a missing file, a link and a special file. */
export async function* chunksIn(folder: string, path: string): AsyncGenerator<Uint8Array, void> {
  yield* (await openFile(folder, path)).createReadStream({ highWaterMark: CHUNK });
}

export function damaged(folder: string, path: string): string {
  return `"${join(folder, path)}" is damaged: its SHA-256 differs from the backup's list`;
}

/** The handle is closed by reading it to its end. Does not wait for a writer of a named pipe, and follows no link. */
async function openFile(folder: string, path: string): Promise<FileHandle> {
  const place = join(folder, path);
  let file: FileHandle | undefined;
  try {
    file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new OperatorError(`"${place}" is missing`, { cause: error });
    if (codeOf(error) !== 'ELOOP')
      throw new OperatorError(`"${place}" cannot be read: ${errorMessage(error)}`, { cause: error });
  }
  await file?.close();
  throw notAFile(place);
}

function notAFile(place: string): OperatorError {
  return new OperatorError(`"${place}" is neither a file nor a folder; a backup contains nothing else`);
}

/** Paths of files in the folder, without the list and the mark. Rejects with `OperatorError` for links and special files. */
export async function filesIn(folder: string, within = ''): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(join(folder, within))) {
    const path = `${within}${name}`;
    const entry = await lstat(join(folder, path));
    if (entry.isDirectory()) found.push(...(await filesIn(folder, `${path}/`)));
    else if (!entry.isFile()) throw notAFile(join(folder, path));
    else if (path !== SUMS && path !== INCOMPLETE) found.push(path);
  }
  return found;
}

/**
 * Creates the folder and fills it. The folder is marked as incomplete until its whole content is durable. Leftovers of
 * an interruption are removed first, if the folder is marked or is the caller's own. Rejects with `OperatorError` if the folder
 * has other content. It also rejects, and leaves the folder empty, if the system refuses a file.
 */
export async function fillFolder<Result>(
  folder: string,
  isOwn: boolean,
  fill: () => Promise<Result>,
): Promise<Result> {
  const mark = join(folder, INCOMPLETE);
  const names = await namesIn(folder);
  if (names.length > 0 && !isOwn && !names.includes(INCOMPLETE))
    throw new OperatorError(
      `the folder "${folder}" must be empty, but contains ${names[0]}${names.length > 1 ? ' and more' : ''}; move its content away, or choose another folder`,
    );
  try {
    await clearFolder(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(mark, new Uint8Array(), { mode: 0o600, replace: true });
    const result = await fill();
    await syncFolders(folder);
    await rm(mark);
    await syncDirectory(folder);
    return result;
  } catch (error) {
    await clearFolder(folder);
    await rm(mark, { force: true });
    throw error instanceof Error && 'syscall' in error
      ? new OperatorError(`"${folder}" cannot be written: ${error.message}`, { cause: error })
      : error;
  }
}

/** Removes everything except the mark. */
async function clearFolder(folder: string): Promise<void> {
  for (const name of await namesIn(folder))
    if (name !== INCOMPLETE) await rm(join(folder, name), { recursive: true, force: true });
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new OperatorError(
      `the folder "${folder}" cannot be used (${codeOf(error)}); choose another folder`,
      {
        cause: error,
      },
    );
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Rejects if the file exists. */
export async function writeFile(
  place: string,
  pieces: BackupEntry['chunks'],
  progress: BytesDone = () => undefined,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  await makePrivateDirectory(dirname(place));
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

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncDirectory(folder);
}
