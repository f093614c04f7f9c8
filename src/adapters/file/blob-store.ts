/**
 * Stores blobs as files named by their SHA-256, `<directory>/blobs/<its first two digits>/<sha256>`, and named files as
 * `<directory>/named/<folders>/<file>`. Folder names end with `+`, so that `a` and `a/b` can both be files.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  access,
  constants,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BlobStore, isFileName, isSha256 } from '../../kernel/ports/blob-store.ts';
import type { ContentDamaged, StoreTrouble } from '../../kernel/ports/errors.ts';
import { createCheckedBlobs } from '../../kernel/runtime/checked-blobs.ts';
import { createKeyedMutex } from '../../kernel/runtime/keyed-mutex.ts';
import { makePrivateDirectory, syncDirectory, writeDurably } from './durable-file.ts';

const MODE = 0o644;
const FOLDER_MARK = '+';

function blobFolderOf(directory: string): string {
  return join(resolve(directory), 'blobs');
}

/** Paths of files relative to the store's directory. */
export const blobPaths = {
  blob: (sha256: string) => `blobs/${sha256.slice(0, 2)}/${sha256}`,
  named: (name: string) => `named/${name.replaceAll('/', `${FOLDER_MARK}/`)}`,
};

/** Folder of files that are being written or removed. */
const INCOMING = 'incoming';
/** Milliseconds after which no process can still be writing a file. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
/** Milliseconds; longer than any working disk takes. */
const TIMEOUT = 30_000;

/**
 * Opens a store that several processes may share. A file's modification time is the time of its last `retain` or
 * upload; a power failure may lose it, so that the file seems older. Creates a missing directory, and rejects if it
 * is not writable.
 */
export async function openFileBlobStore(
  directory: string,
  content: ContentDamaged['what'] = 'ledger file',
): Promise<BlobStore> {
  const root = blobFolderOf(directory);
  // Must be on the same file system as the blobs, for renames.
  const incoming = join(root, INCOMING);
  const named = join(resolve(directory), 'named');
  await makePrivateDirectory(incoming);
  await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  await removeAbandoned(incoming);
  await makePrivateDirectory(named);

  const shardOf = (sha256: string): string => join(root, sha256.slice(0, 2));
  /** Path of a blob, whether it exists or not; undefined if the name is not a SHA-256. */
  const pathOf = (sha256: string): string | undefined =>
    isSha256(sha256) ? join(shardOf(sha256), sha256) : undefined;

  const overdue = () => new Error('the blob store does not respond');
  const { run: alone } = createKeyedMutex({ patience: { milliseconds: TIMEOUT, overdue } });

  const checked = createCheckedBlobs({
    content,
    where: resolve(directory),
    async read(sha256, offset, length) {
      const path = pathOf(sha256);
      const handle = path === undefined ? undefined : await unlessAbsent(open(path, 'r'));
      if (handle === undefined) return undefined;
      try {
        const { size } = await handle.stat();
        const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - offset)));
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      } finally {
        await handle.close();
      }
    },
    async size(sha256) {
      const path = pathOf(sha256);
      return path === undefined ? undefined : (await unlessAbsent(stat(path)))?.size;
    },
  });

  /** Renames a complete file to its hash, replacing an equal or damaged one, which updates its modification time. */
  async function store(sha256: string, complete: string): Promise<void> {
    const shard = shardOf(sha256);
    await alone(sha256, async () => {
      await makePrivateDirectory(shard);
      await rename(complete, join(shard, sha256));
      await syncDirectory(shard);
      // The shard may be new, and the process that created it may have been killed before the entry was durable.
      await syncDirectory(root);
    });
  }

  async function storePieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
    const temporary = join(incoming, `.${randomBytes(12).toString('hex')}.tmp`);
    try {
      const sha256 = await writeChunks(temporary, pieces);
      await store(sha256, temporary);
      return sha256;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  return {
    put: (pieces) => checked.put(pieces, storePieces),
    read: checked.read,
    size: checked.size,

    async has(sha256) {
      const path = pathOf(sha256);
      return path !== undefined && (await isFile(path));
    },

    async retain(sha256) {
      const path = pathOf(sha256);
      return path !== undefined && (await alone(sha256, () => touch(path)));
    },

    async *leftAlone(since) {
      for await (const shard of await opendir(root)) {
        if (!shard.isDirectory() || shard.name === INCOMING) continue;
        for await (const { name } of await opendir(join(root, shard.name))) {
          const path = pathOf(name);
          if (path === join(root, shard.name, name) && (await isLeftAlone(path, since))) yield name;
        }
      }
    },

    async remove(sha256, leftAloneSince) {
      const path = pathOf(sha256);
      if (path === undefined) return false;
      return alone(sha256, async () => {
        if (!(await isLeftAlone(path, leftAloneSince))) return false;
        // Another process may retain the file between check and removal, so it is moved aside and checked again.
        const aside = join(incoming, `.${randomBytes(12).toString('hex')}.removed`);
        if ((await unlessAbsent(rename(path, aside).then(() => true))) === undefined) return false;
        const wasKept = (await isFile(aside)) && !(await isLeftAlone(aside, leftAloneSince));
        if (wasKept) await rename(aside, path);
        else await rm(aside, { force: true });
        await syncDirectory(dirname(path));
        if (!wasKept) checked.forget(sha256);
        return !wasKept;
      });
    },

    async putFile(name, bytes) {
      if (!isFileName(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid file name`);
      const path = join(resolve(directory), blobPaths.named(name));
      await makePrivateDirectory(dirname(path));
      await writeDurably(path, bytes, { mode: MODE, temporaryDirectory: incoming, replace: true });
    },

    async getFile(name) {
      if (!isFileName(name)) return undefined;
      return unlessAbsent(readFile(join(resolve(directory), blobPaths.named(name))));
    },

    listFiles: (prefix) => namesBelow(named, '', prefix),

    async close() {},
  };
}

/** Enters only folders that can contain names with the prefix. */
async function* namesBelow(folder: string, within: string, prefix: string): AsyncGenerator<string> {
  for (const entry of (await unlessAbsent(readdir(folder, { withFileTypes: true }))) ?? []) {
    if (!entry.isDirectory()) {
      const name = `${within}${entry.name}`;
      if (name.startsWith(prefix) && isFileName(name)) yield name;
      continue;
    }
    const inner = `${within}${entry.name.slice(0, -FOLDER_MARK.length)}/`;
    if (inner.startsWith(prefix) || prefix.startsWith(inner))
      yield* namesBelow(join(folder, entry.name), inner, prefix);
  }
}

/** Writes the pieces durably into a new file, and resolves with their SHA-256. */
async function writeChunks(path: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(path, 'wx', MODE);
  try {
    for await (const piece of pieces) {
      hash.update(piece);
      await handle.writeFile(piece);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = join(incoming, name);
    const found = await unlessAbsent(stat(file));
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(file, { force: true });
  }
}

/** False if the file does not exist. */
async function touch(file: string): Promise<boolean> {
  if (!(await isFile(file))) return false;
  const now = new Date();
  return (await unlessAbsent(utimes(file, now, now).then(() => true))) ?? false;
}

async function isLeftAlone(file: string, since: Date): Promise<boolean> {
  const found = await unlessAbsent(stat(file));
  return found?.isFile() === true && found.mtimeMs < since.getTime();
}

async function isFile(file: string): Promise<boolean> {
  return (await unlessAbsent(stat(file)))?.isFile() === true;
}

/** Undefined if the file does not exist. */
async function unlessAbsent<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const PROBE_BYTES = 256 * 1024;

/** Checks that blobs can be stored: writes and removes a file of the size of a small image. Rejects with the system's error. */
export async function probeFolder(directory: string): Promise<void> {
  const file = join(blobFolderOf(directory), INCOMING, `.${randomBytes(12).toString('hex')}.probe`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const FAILED = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM']);
const HOW = '(docs/how-to/operate/free-disk-space.md)';

/** Trouble of storing files in a folder, by the code of the system's error. */
export function folderTrouble(error: unknown): Omit<StoreTrouble, 'where'> | undefined {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (FULL.has(reason))
    return { reason, kind: 'disk full', whatToDo: `free disk space: storing resumes automatically ${HOW}` };
  if (!FAILED.has(reason)) return undefined;
  return { reason, kind: 'disk failed', whatToDo: `grant the service write permission on the folder ${HOW}` };
}
