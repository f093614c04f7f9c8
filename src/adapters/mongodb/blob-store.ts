/**
 * Blob store in GridFS, with a bucket for each kind of content. A file exists once it is named by its SHA-256; an upload
 * whose process was killed leaves chunks of an unnamed file. Files with a chosen name are separate documents, because GridFS
 * cannot replace a file in one step.
 */
import { Binary, type Db } from 'mongodb';
import pLimit from 'p-limit';
import { type BlobStore, isFileName, isSha256 } from '../../kernel/ports/blob-store.ts';
import type { ContentDamaged } from '../../kernel/ports/errors.ts';
import { createCheckedBlobs } from '../../kernel/runtime/checked-blobs.ts';
import { IN_TIME } from './client.ts';
import { isAway, storeError } from './errors.ts';
import { createGridBucket, createGridReader, createGridUpload, type GridBucket } from './grid-bucket.ts';

/** Prefixes of collection names. */
const BUCKETS: Readonly<Record<ContentDamaged['what'], string>> = {
  image: 'images',
  'ledger file': 'ledgers',
};
/** Ledgers are read in small ranges, and a read fetches at most two chunks more than its bytes. */
const CHUNK_BYTES = 64 * 1024;
/**
 * Maximum number of concurrent calls, out of the pool's 32 connections; large uploads leave the remaining connections to queries.
 */
const CONCURRENT_CALLS = 12;
/** Bytes of a named file; a MongoDB document can have 16 MiB. */
const MAX_FILE = 15 * 1024 * 1024;
/** Some MongoDB clients cannot read later years. */
const LATEST = new Date('9999-12-31T00:00:00Z');

interface NamedFile {
  readonly _id: string;
  readonly data: Binary;
}

/** Runs a call with bounded concurrency. `failure` completes the message of its error: `ledger file cannot be <failure>`. */
type Attempt = <Result>(failure: string, work: () => Promise<Result>) => Promise<Result>;

interface MongoBlobOptions {
  readonly content?: ContentDamaged['what'];
  /** True if the server may be unavailable: then the first call that reaches it creates the indexes. */
  readonly mayBeAway?: boolean;
}

/** Creates missing indexes. */
export async function openMongoBlobStore(
  database: Db,
  { content = 'ledger file', mayBeAway = false }: MongoBlobOptions = {},
): Promise<{ readonly store: Omit<BlobStore, 'close'>; readonly probe: () => Promise<void> }> {
  const name = BUCKETS[content];
  const where = `MongoDB (the collections ${name}.files and ${name}.chunks)`;
  const grid = createGridBucket(database, name, CHUNK_BYTES);
  const { files, prepare } = grid;
  await prepare().catch((error: unknown) => {
    if (!mayBeAway || !isAway(error)) throw error;
  });

  const calls = pLimit(CONCURRENT_CALLS);
  const attempt: Attempt = (failure, work) =>
    calls(() => asStoreError(`${name} cannot be ${failure}`, () => prepare().then(work)));
  const reader = createGridReader(grid, { content, where });
  const keep = (filename: string) => retainFile(grid, filename);
  const upload = createGridUpload({ grid, keep, isWhole: reader.isWhole });

  const size = async (sha256: string) =>
    isSha256(sha256) ? attempt('read', () => reader.size(sha256)) : undefined;
  const checked = createCheckedBlobs({
    content,
    where,
    read: async (sha256, offset, length) =>
      isSha256(sha256) ? attempt('read', () => reader.range(sha256, offset, length)) : undefined,
    size,
  });

  const store: Omit<BlobStore, 'close'> = {
    put: (pieces) =>
      checked.put(pieces, (each) =>
        asStoreError(`${name} cannot be stored`, () => prepare().then(() => upload(each))),
      ),
    read: checked.read,
    size: checked.size,
    has: async (sha256) => (await size(sha256)) !== undefined,
    retain: async (sha256) => isSha256(sha256) && attempt('retained', () => keep(sha256)),
    async *leftAlone(since) {
      const now = new Date();
      // Excludes files that are stored or retained during the listing, because it might otherwise never end.
      const keptAt = since > now ? { $lte: now } : { $lt: since };
      const options = { projection: { filename: 1 }, sort: { 'metadata.keptAt': 1 }, ...IN_TIME } as const;
      try {
        for await (const { filename } of files.find({ 'metadata.keptAt': keptAt }, options)) yield filename;
      } catch (error) {
        throw storeError(error, `${name} cannot be listed`);
      }
    },
    async remove(sha256, since) {
      const removed = isSha256(sha256) && (await attempt('removed', () => removeFile(grid, sha256, since)));
      if (removed) checked.forget(sha256);
      return removed;
    },
    ...createNamedFiles(database, name, attempt),
  };
  return { store, probe: grid.probe };
}

async function retainFile({ files }: GridBucket, filename: string): Promise<boolean> {
  const kept = await files.updateOne({ filename }, { $max: { 'metadata.keptAt': new Date() } }, IN_TIME);
  return kept.matchedCount > 0;
}

async function removeFile({ files, chunks }: GridBucket, filename: string, since: Date): Promise<boolean> {
  const removed = await files.findOneAndDelete(
    { filename, 'metadata.keptAt': { $lt: since < LATEST ? since : LATEST } },
    IN_TIME,
  );
  if (removed === null) return false;
  // Chunks without a file are not read.
  await chunks.deleteMany({ files_id: removed._id }, IN_TIME).catch(() => undefined);
  return true;
}

function createNamedFiles(
  database: Db,
  bucket: string,
  attempt: Attempt,
): Pick<BlobStore, 'putFile' | 'getFile' | 'listFiles'> {
  const named = database.collection<NamedFile>(`${bucket}.named`);
  return {
    async putFile(name, bytes) {
      if (!isFileName(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid file name`);
      if (bytes.length > MAX_FILE) throw new RangeError(`the file ${name} has more than ${MAX_FILE} bytes`);
      const data = new Binary(Buffer.from(bytes));
      await attempt('stored', () => named.replaceOne({ _id: name }, { data }, { upsert: true, ...IN_TIME }));
    },

    async getFile(name) {
      if (!isFileName(name)) return undefined;
      const found = await attempt('read', () => named.findOne({ _id: name }, IN_TIME));
      return found === null ? undefined : Buffer.from(found.data.buffer.subarray(0, found.data.length()));
    },

    async *listFiles(prefix) {
      if (prefix !== '' && !/^[a-z0-9._/-]+$/.test(prefix)) return;
      // Every character allowed in a name sorts before "{".
      const range = { $gte: prefix, $lt: `${prefix}{` };
      const found = named.find({ _id: range }, { projection: { _id: 1 }, sort: { _id: 1 }, ...IN_TIME });
      try {
        for await (const { _id } of found) yield _id;
      } catch (error) {
        throw storeError(error, `${bucket} cannot be listed`);
      }
    },
  };
}

async function asStoreError<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error, what);
  }
}
