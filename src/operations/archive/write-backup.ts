/**
 * Writes a backup into a folder. All of it is written and checked in a folder beside it, whose name says that it is not
 * finished, and takes its own name in one step: whatever interrupts it leaves nothing that looks like a backup.
 */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import { FILE_LIST, MANIFEST, type Manifest, SECRETS, sha256Of } from './backup-folder.ts';
import { type BackupBegin, type BackupEnd, type BackupPart, fileAt } from './backup-parts.ts';
import { checkFiles } from './check-backup.ts';
import { eventIn } from './log-lines.ts';

export interface WriteBackupOptions {
  /** By the name under which each is kept; only where the operator asked for them. */
  readonly secrets: ReadonlyMap<string, Uint8Array>;
  readonly progress?: (bytes: number) => void;
  readonly checking?: (bytes: number, of: number) => void;
}

export interface WrittenBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly missingLedgers: readonly string[];
}

/** Rejects with `OperatorError` if something is there already, and where the parts end early. */
export async function writeBackup(
  target: string,
  parts: AsyncIterable<BackupPart>,
  options: WriteBackupOptions,
): Promise<WrittenBackup> {
  const folder = resolve(target);
  await requireEmpty(folder);
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await removeLeftovers(folder);
  const unfinished = `${unfinishedPrefix(folder)}${process.pid}`;
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const manifest = await writeAll(unfinished, parts, options);
    const missingLedgers = await checkFiles(unfinished, manifest, options.checking);
    await writeFileDurably(join(unfinished, MANIFEST), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    await syncFolders(unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      throw new OperatorError(
        `the backup cannot take the name "${folder}" (${codeOf(error)}): name a folder that does not exist yet, below the one that is mounted`,
        { cause: error },
      );
    });
    await syncFolder(dirname(folder));
    return { folder, manifest, missingLedgers };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeAll(
  folder: string,
  parts: AsyncIterable<BackupPart>,
  options: WriteBackupOptions,
): Promise<Manifest> {
  const list = createListing(folder);
  const progress = options.progress ?? (() => undefined);
  const damaged: string[] = [];
  let begin: BackupBegin | undefined;
  let end: BackupEnd | undefined;
  try {
    for await (const part of parts) {
      if (part.kind === 'begin') begin = part.begin;
      else if (part.kind === 'end') end = part.end;
      else if (part.kind === 'damaged') damaged.push(nameable(part.path));
      else {
        await list.add(part.path, part.bytes);
        progress(list.bytes());
      }
    }
    await list.finish();
  } finally {
    await list.leave();
  }
  if (begin === undefined || end === undefined)
    throw new OperatorError('the backup was cut off before its end');
  for (const [name, bytes] of options.secrets) {
    await mkdir(join(folder, SECRETS), { recursive: true, mode: 0o700 });
    await writeFileDurably(join(folder, SECRETS, name), bytes, 0o600);
  }
  const { sha256 } = await sha256Of(join(folder, FILE_LIST));
  return {
    ...begin,
    ...end,
    unreadable: list.unreadable(),
    ...(damaged.length === 0 ? {} : { damaged }),
    secrets: [...options.secrets.keys()],
    files: { count: list.count(), bytes: list.bytes(), sha256 },
  };
}

/** Writes files piece by piece, and lists each when the next begins. */
function createListing(folder: string) {
  let current:
    | { readonly path: string; readonly handle: FileHandle; readonly hash: Hash; bytes: number }
    | undefined;
  let listing: FileHandle | undefined;
  const total = { count: 0, bytes: 0, unreadable: 0 };
  const known = new Set<string>();

  async function endFile(): Promise<void> {
    if (current === undefined) return;
    const { path, handle, hash, bytes } = current;
    await handle.sync();
    await handle.close();
    current = undefined;
    listing ??= await open(join(folder, FILE_LIST), 'wx', 0o600);
    await listing.writeFile(`${JSON.stringify({ path, bytes, sha256: hash.digest('hex') })}\n`);
    total.count += 1;
  }

  return {
    async add(path: string, bytes: Uint8Array) {
      const file = fileAt(nameable(path));
      if (current?.path !== path) {
        await endFile();
        const parent = dirname(join(folder, path));
        if (!known.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
        known.add(parent);
        const handle = await open(join(folder, path), 'wx', 0o600);
        current = { path, handle, hash: createHash('sha256'), bytes: 0 };
      }
      current.hash.update(bytes);
      await current.handle.writeFile(bytes);
      current.bytes += bytes.length;
      total.bytes += bytes.length;
      if (file?.kind === 'log') total.unreadable += unreadableIn(bytes);
    },
    async finish() {
      await endFile();
      await listing?.sync();
    },
    async leave() {
      await current?.handle.close();
      await listing?.close();
    },
    count: () => total.count,
    bytes: () => total.bytes,
    unreadable: () => total.unreadable,
  };
}

function nameable(path: string): string {
  if (fileAt(path) === undefined) throw new OperatorError(`a backup has no file ${JSON.stringify(path)}`);
  return path;
}

/** A piece of the log holds whole lines. */
function unreadableIn(bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString();
  if (!text.includes('"unreadable"')) return 0;
  return text.split('\n').filter((line) => line !== '' && eventIn(line)?.unreadable !== undefined).length;
}

async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new OperatorError(
      `a backup cannot be written to "${folder}" (${codeOf(error)}): name a folder that does not exist yet`,
      {
        cause: error,
      },
    );
  });
  if (found.length > 0) {
    throw new OperatorError(
      `"${folder}" is not empty, and a backup replaces nothing: name a folder that does not exist yet`,
    );
  }
}

function unfinishedPrefix(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.unfinished-`);
}

/** Removes what killed processes left. */
async function removeLeftovers(folder: string): Promise<void> {
  const prefix = basename(unfinishedPrefix(folder));
  for (const name of await readdir(dirname(folder))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (Number.isSafeInteger(pid) && (pid === process.pid || !isRunning(pid)))
      await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

export async function writeFileDurably(path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder and below durable. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncFolder(folder);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
