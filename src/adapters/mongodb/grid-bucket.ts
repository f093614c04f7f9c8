/**
 * Files in a GridFS bucket, with additional indexes. A file's name is its hash, which is known only after the upload; so a
 * file is uploaded under a temporary name and then renamed, which makes it visible.
 */

import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import {
  Binary,
  type Collection,
  type Db,
  type Filter,
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
    /** Deletes a file, or the chunks of an upload. The sweep deletes the rest. */
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
  /** Undefined if bytes are missing: the file is being removed, or damaged. */
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
      // The file may be removed and stored again between the two queries.
      for (let turn = 0; turn < 2; turn++) {
        const file = await files.findOne({ filename: name }, IN_TIME);
        if (file === null) return undefined;
        const end = Math.min(offset + length, file.length);
        if (end <= offset) return new Uint8Array(0);
        const bytes = await bytesOf(file, offset, end);
        if (bytes !== undefined) return bytes;
      }
      throw new ContentDamaged(content, name, where);
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
/** Maximum milliseconds between two pieces. Must be less than an hour, after which the sweep deletes chunks without a file. */
const MAX_PAUSE = 30 * 60 * 1_000;

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
      let writtenAt = performance.now();
      for await (const piece of pieces) {
        hash.update(piece);
        await write(stream, piece);
        requireShortPause(writtenAt);
        writtenAt = performance.now();
      }
      requireShortPause(writtenAt);
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

function requireShortPause(since: number): void {
  if (performance.now() - since > MAX_PAUSE) throw new Error('the upload paused for more than 30 minutes');
}

const FILES_PER_CHECK = 1_000;
/** Seconds after which remains are deleted. */
const LEFT_FOR = 60 * 60;

/**
 * Deletes remains of interrupted uploads and removals after an hour: files without a name, and chunks without a file. Reads
 * only index keys, no contents.
 */
export async function sweepChunks({
  files,
  chunks,
  isStopped,
}: {
  readonly isStopped: () => boolean;
} & Pick<GridBucket, 'files' | 'chunks'>): Promise<void> {
  const before = ObjectId.createFromTime(Math.floor(Date.now() / 1_000) - LEFT_FOR);
  const unnamed = { filename: { $regex: `^${TEMPORARY}` }, uploadDate: { $lt: before.getTimestamp() } };
  await files.deleteMany(unnamed, IN_TIME);
  let after: ObjectId | undefined;
  while (!isStopped()) {
    const keys = await chunks
      .find(
        { files_id: { ...(after === undefined ? {} : { $gt: after }), $lt: before } },
        {
          projection: { _id: 0, files_id: 1 },
          sort: { files_id: 1, n: 1 },
          limit: FILES_PER_CHECK,
          ...IN_TIME,
        },
      )
      .toArray();
    const last = keys.at(-1)?.files_id;
    if (last === undefined) return;
    const uploads = new Map(keys.map(({ files_id }) => [files_id.toHexString(), files_id]));
    const found = await files
      .find({ _id: { $in: [...uploads.values()] } }, { projection: { _id: 1 }, ...IN_TIME })
      .toArray();
    for (const { _id } of found) uploads.delete(_id.toHexString());
    for (const files_id of uploads.values()) {
      // An upload may take longer than an hour, but then its latest chunk is recent.
      const [latest] = await chunks
        .find({ files_id }, { sort: { n: -1 }, limit: 1, projection: { _id: 1 }, ...IN_TIME })
        .toArray();
      if (latest !== undefined && latest._id.getTimestamp() < before.getTimestamp())
        await chunks.deleteMany({ files_id }, IN_TIME);
    }
    // Skips the remaining chunks of the last file.
    after = last;
  }
}

const LISTED_TOGETHER = 500;

/**
 * Lists files not kept since a time, ordered by when they were last kept. Excludes files kept after the call. `read` runs
 * each query.
 */
export async function* leftAloneNames(
  files: Collection<GridFile>,
  since: Date,
  read: (look: () => Promise<GridFile[]>) => Promise<GridFile[]>,
): AsyncGenerator<string> {
  const begun = new Date();
  let after: GridFile | undefined;
  for (;;) {
    const page: GridFile[] = await read(() =>
      files
        .find(leftAloneFilter({ since, begun, after }), {
          sort: { 'metadata.keptAt': 1, _id: 1 },
          limit: LISTED_TOGETHER,
          ...IN_TIME,
        })
        .toArray(),
    );
    for (const { filename } of page) yield filename;
    after = page.at(-1);
    if (after === undefined || page.length < LISTED_TOGETHER) return;
  }
}

/** Files last kept before `since` and not after `begun`; `after` is the last file of the previous page. */
export function leftAloneFilter({
  since,
  begun,
  after,
}: {
  readonly since: Date;
  readonly begun: Date;
  readonly after: Pick<GridFile, '_id' | 'metadata'> | undefined;
}): Filter<GridFile> {
  const before = since > begun ? { $lte: begun } : { $lt: since };
  if (after === undefined) return { 'metadata.keptAt': before };
  const { _id, metadata } = after;
  return {
    $or: [
      { 'metadata.keptAt': { ...before, $gt: metadata.keptAt } },
      { 'metadata.keptAt': metadata.keptAt, _id: { $gt: _id } },
    ],
  };
}
