/**
 * Keeps blobs as files named by their SHA-256, `<directory>/blobs/<its first two digits>/<sha256>`, and named files as
 * `<directory>/named/<folders>/<file>`. A folder's name ends with `+`, so that `a` and `a/b` can both be files.
 */
import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BlobStore, isFileName } from '../../kernel/ports/blob-store.ts';
import type { ContentDamaged } from '../../kernel/ports/errors.ts';
import { createCheckedBlobs } from '../../kernel/runtime/checked-blobs.ts';
import { openBlobFiles, unlessAbsent } from './blob-files.ts';
import { makePrivateDirectory, writeDurably } from './durable-file.ts';

const MODE = 0o644;
const FOLDER_MARK = '+';

/** The folder in which a probe finds out whether blobs can be stored. */
export function blobFolderOf(directory: string): string {
  return join(resolve(directory), 'blobs');
}

/** Paths of files in the directory of a store. */
export const blobPaths = {
  blob: (sha256: string) => `blobs/${sha256.slice(0, 2)}/${sha256}`,
  named: (name: string) => `named/${name.replaceAll('/', `${FOLDER_MARK}/`)}`,
};

/** Creates the directory if missing. Rejects if it is not writable. */
export async function openFileBlobStore(
  directory: string,
  content: ContentDamaged['what'] = 'ledger file',
): Promise<BlobStore> {
  const files = await openBlobFiles(blobFolderOf(directory));
  const { incoming, pathOf } = files;
  const named = join(resolve(directory), 'named');
  await makePrivateDirectory(named);

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

  async function storePieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
    const temporary = join(incoming, `.${randomBytes(12).toString('hex')}.tmp`);
    try {
      const sha256 = await writePieces(temporary, pieces);
      await files.store(sha256, temporary);
      return sha256;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  return {
    put: (pieces) => checked.put(pieces, storePieces),
    read: checked.read,
    size: checked.size,
    readUnchecked: checked.readUnchecked,
    has: files.has,
    keep: files.keep,
    leftAlone: files.leftAlone,

    async remove(sha256, leftAloneSince) {
      const removed = await files.remove(sha256, leftAloneSince);
      if (removed) checked.forget(sha256);
      return removed;
    },

    async putFile(name, bytes) {
      if (!isFileName(name)) throw new TypeError(`${JSON.stringify(name)} is not a name of a file`);
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

/** Enters only folders that can hold names with the prefix. */
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
async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
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
