/**
 * Files in a GridFS bucket, with additional indexes. A file's name is its hash, which is known only after the upload; so a
 * file is uploaded under a temporary name and then renamed, which makes it visible.
 */

import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import {
  Binary,
  type Db,
  GridFSBucket,
  type GridFSBucketWriteStream,
  type GridFSFile,
  MongoGridFSChunkError,
  MongoRuntimeError,
  MongoServerError,
  ObjectId,
} from 'mongodb';
import pLimit from 'p-limit';
import { ContentDamaged } from '../../kernel/ports/errors.ts';
import { IN_TIME } from './client.ts';

interface GridFile extends GridFSFile {
  readonly metadata: { readonly keptAt?: Date };
}

export type GridBucket = ReturnType<typeof createGridBucket>;

interface Chunk {
  readonly _id: ObjectId;
  readonly files_id: ObjectId;
  readonly n: number;
}

const PROBE_BYTES = 256 * 1024;

/** `bucketName` is the prefix of the collections' names. */
export function createGridBucket(database: Db, bucketName: string, chunkSizeBytes: number) {
  const bucket = new GridFSBucket(database, { bucketName, chunkSizeBytes });
  const files = database.collection<GridFile>(`${bucketName}.files`);
  const chunks = database.collection<Chunk>(`${bucketName}.chunks`);
  const probes = database.collection<{ readonly _id: ObjectId; readonly data: Binary }>(
    `${bucketName}.probes`,
  );
  let prepared: Promise<void> | undefined;

  async function makeIndexes(): Promise<void> {
    await files.createIndex({ filename: 1 }, { unique: true, ...IN_TIME });
    await files.createIndex({ 'metadata.keptAt': 1, _id: 1 }, IN_TIME);
    await chunks.createIndex({ files_id: 1, n: 1 }, { unique: true, ...IN_TIME });
  }

  function prepare(): Promise<void> {
    prepared ??= makeIndexes().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  }

  return {
    bucket,
    files,
    chunks,
    /** Creates missing indexes once; after a failure, the next call retries. */
    prepare,
    /** Deletes a file, or the chunks of an upload. */
    discard: (id: ObjectId) => bucket.delete(id).catch(() => undefined),
    /** Writes and deletes a test document. */
    async probe(): Promise<void> {
      await prepare();
      const _id = new ObjectId();
      await probes.insertOne({ _id, data: new Binary(Buffer.alloc(PROBE_BYTES)) }, IN_TIME);
      await probes.deleteOne({ _id }, IN_TIME);
    },
  };
}

/** Reads files by range, and checks a whole file against its name. */
export function createGridReader(
  { bucket, files }: Pick<GridBucket, 'bucket' | 'files'>,
  { content, where }: { readonly content: ContentDamaged['what']; readonly where: string },
) {
  /** Undefined if bytes are missing. */
  async function bytesOf({ _id }: GridFile, start: number, end: number): Promise<Uint8Array | undefined> {
    try {
      const bytes = Buffer.concat(await bucket.openDownloadStream(_id, { start, end }).toArray());
      return bytes.length === end - start ? bytes : undefined;
    } catch (error) {
      if (isIncomplete(error)) return undefined;
      throw error;
    }
  }

  return {
    /** Undefined if the file does not exist. @throws ContentDamaged if chunks are missing. */
    async range(name: string, offset: number, length: number): Promise<Uint8Array | undefined> {
      const file = await files.findOne({ filename: name }, IN_TIME);
      if (file === null) return undefined;
      const end = Math.min(offset + length, file.length);
      if (end <= offset) return new Uint8Array(0);
      const bytes = await bytesOf(file, offset, end);
      if (bytes === undefined) throw new ContentDamaged(content, name, where);
      return bytes;
    },

    async size(name: string): Promise<number | undefined> {
      const file = await files.findOne({ filename: name }, { projection: { length: 1 }, ...IN_TIME });
      return file?.length;
    },

    /** Reads the whole file. True if its hash equals its name. */
    async isWhole({ _id, filename }: GridFile): Promise<boolean> {
      const hash = createHash('sha256');
      try {
        for await (const piece of bucket.openDownloadStream(_id)) hash.update(piece);
      } catch (error) {
        if (isIncomplete(error)) return false;
        throw error;
      }
      return hash.digest('hex') === filename;
    },
  };
}

function isIncomplete(error: unknown): boolean {
  return (
    error instanceof MongoGridFSChunkError || (error instanceof MongoRuntimeError && error.code === 'ENOENT')
  );
}

/** Prefix of temporary names; no stored file's name begins with it. */
const TEMPORARY = 'uploading:';

/** Maximum number of concurrent uploads, out of the pool's 32 connections. */
const CONCURRENT_UPLOADS = 6;
/** Attempts to name or keep the file, which can be removed concurrently, before the upload fails. */
const MAX_TURNS = 10;

type Chunks = AsyncIterable<Uint8Array>;

export function createGridUpload({
  grid: { bucket, files, discard },
  keep,
  isWhole,
}: {
  readonly grid: GridBucket;
  readonly keep: (name: string) => Promise<boolean>;
  readonly isWhole: (file: GridFile) => Promise<boolean>;
}) {
  const inTurn = pLimit(CONCURRENT_UPLOADS);

  /** Resolves with the SHA-256. If it rejects, no chunk remains. */
  async function upload(id: ObjectId, pieces: Chunks): Promise<string> {
    const hash = createHash('sha256');
    const stream = bucket.openUploadStreamWithId(id, `${TEMPORARY}${id}`, { metadata: {} });
    const done = finished(stream);
    done.catch(() => undefined);
    try {
      // Not a pipeline, which reads ahead: the memory of a piece may be reused for the next one.
      for await (const piece of pieces) {
        hash.update(piece);
        await write(stream, piece);
      }
      stream.end();
      await done;
      return hash.digest('hex');
    } catch (error) {
      stream.destroy();
      await discard(id);
      throw error;
    }
  }

  async function rename(_id: ObjectId, filename: string): Promise<void> {
    const named = { filename, metadata: { keptAt: new Date() } };
    const { matchedCount } = await files.updateOne({ _id }, { $set: named }, IN_TIME);
    if (matchedCount === 0) throw new Error(`the upload of ${filename} was removed before it was named`);
  }

  /** Stores the pieces under their SHA-256, unless that file already exists undamaged, and resolves with the hash. */
  return (pieces: Chunks): Promise<string> =>
    inTurn(async () => {
      const id = new ObjectId();
      const filename = await upload(id, pieces);
      for (let turn = 1; turn <= MAX_TURNS; turn++) {
        const there = await files.findOne({ filename }, IN_TIME);
        if (there === null) {
          try {
            await rename(id, filename);
            return filename;
          } catch (error) {
            // The server rejects a second file of the same name, which the next attempt finds. After any other error, the
            // file may have its name, so it is not deleted.
            if (!(error instanceof MongoServerError) || turn === MAX_TURNS) throw error;
          }
        } else if (!(await isWhole(there))) await discard(there._id);
        else if (await keep(filename)) {
          await discard(id);
          return filename;
        }
      }
      await discard(id);
      throw new Error(`${filename} was removed during each attempt to store it`);
    });
}

function write(stream: GridFSBucketWriteStream, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}
