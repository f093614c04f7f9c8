/**
 * Keeps blobs in GridFS, in the bucket `ledgers`, each under its SHA-256. A named file is replaced in one step, which GridFS
 * cannot: it is a document of its own.
 */
import { createHash } from 'node:crypto';
import { Binary, type Db } from 'mongodb';
import pLimit from 'p-limit';
import { type BlobStore, isFileName, isSha256 } from '../../kernel/ports/blob-store.ts';
import { createCheckedBlobs } from '../../kernel/runtime/checked-blobs.ts';
import { IN_TIME } from './client.ts';
import { storeError } from './errors.ts';
import { openGridFiles } from './grid-files.ts';
import type { ContentCheck } from './grid-reader.ts';

/** A ledger is read in small ranges: a read costs at most two chunks more than its bytes. */
const CHUNK_BYTES = 64 * 1024;
/** A share of the pool's 32 connections. */
const FILES_AT_ONCE = 6;
/** A document of MongoDB holds 16 MiB. */
const LARGEST_FILE = 15 * 1024 * 1024;

interface NamedFile {
  readonly _id: string;
  readonly data: Binary;
}

/** Closing it leaves the client open. */
export async function openMongoBlobStore(
  database: Db,
  { mayBeAway }: { readonly mayBeAway?: boolean } = {},
): Promise<{ readonly store: BlobStore; readonly probe: () => Promise<void> }> {
  const grid = await openGridFiles({
    database,
    mayBeAway,
    bucket: 'ledgers',
    chunkSize: CHUNK_BYTES,
    what: 'ledger file',
    createCheck,
  });
  const inTurn = pLimit(FILES_AT_ONCE);
  const named = database.collection<NamedFile>('ledgers.named');

  async function* namesFrom(prefix: string): AsyncGenerator<string> {
    if (prefix !== '' && !/^[a-z0-9._/-]+$/.test(prefix)) return;
    // Every character of a name comes before "{".
    const range = { $gte: prefix, $lt: `${prefix}{` };
    const found = named.find({ _id: range }, { projection: { _id: 1 }, sort: { _id: 1 }, ...IN_TIME });
    try {
      for await (const { _id } of found) yield _id;
    } catch (error) {
      throw storeError(error, 'ledgers cannot be listed');
    }
  }

  const checked = createCheckedBlobs({
    where: grid.where,
    read: async (sha256, offset, length) =>
      isSha256(sha256) ? grid.read(sha256, offset, length) : undefined,
    size: async (sha256) => (isSha256(sha256) ? grid.size(sha256) : undefined),
    // Each read looks for the file by its name.
    forget: () => undefined,
  });

  async function storePieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
    const hash = createHash('sha256');
    let sha256 = '';
    await grid.store(hashed(pieces, hash), () => {
      sha256 = hash.digest('hex');
      return sha256;
    });
    return sha256;
  }

  const store: BlobStore = {
    put: (pieces) => checked.put(pieces, storePieces),
    read: checked.read,
    size: checked.size,
    readUnchecked: checked.readUnchecked,
    has: async (sha256) => isSha256(sha256) && (await grid.size(sha256)) !== undefined,
    keep: async (sha256) => isSha256(sha256) && grid.keep(sha256),
    leftAlone: grid.leftAlone,
    async remove(sha256, since) {
      const removed = isSha256(sha256) && (await grid.remove(sha256, since));
      if (removed) checked.forget(sha256);
      return removed;
    },

    async putFile(name, bytes) {
      if (!isFileName(name)) throw new TypeError(`${JSON.stringify(name)} is not a name of a file`);
      if (bytes.length > LARGEST_FILE)
        throw new RangeError(`the file ${name} has more than ${LARGEST_FILE} bytes`);
      try {
        const data = new Binary(Buffer.from(bytes));
        await inTurn(() => named.replaceOne({ _id: name }, { data }, { upsert: true, ...IN_TIME }));
      } catch (error) {
        throw storeError(error, 'ledgers cannot be stored');
      }
    },

    async getFile(name) {
      if (!isFileName(name)) return undefined;
      try {
        const found = await inTurn(() => named.findOne({ _id: name }, IN_TIME));
        return found === null ? undefined : Buffer.from(found.data.buffer.subarray(0, found.data.length()));
      } catch (error) {
        throw storeError(error, 'ledgers cannot be read');
      }
    },

    listFiles: namesFrom,
    close: grid.close,
  };
  return { store, probe: grid.probe };
}

async function* hashed(
  pieces: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

function createCheck(): ContentCheck {
  const hash = createHash('sha256');
  return {
    add: (bytes) => void hash.update(bytes),
    isContentOf: (sha256) => hash.digest('hex') === sha256,
  };
}
