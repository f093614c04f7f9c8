/**
 * Files in GridFS, named by their content and left alone since a moment. A file is there from the moment when its
 * description is: the chunks come first, and what a killed process leaves of them is removed an hour later. GridFS's own
 * streams are not used, since they need the name before the bytes.
 */
import { Binary, type Db, MongoServerError, ObjectId } from 'mongodb';
import pLimit from 'p-limit';
import { ContentDamaged } from '../../ports/content-damaged.ts';
import { IN_TIME } from './client.ts';
import { isAway, storeError } from './errors.ts';
import type { GridChunk, GridFile } from './grid-documents.ts';
import { sweepChunks } from './sweep-chunks.ts';

export interface GridFiles {
  /** Stores the pieces under what `nameOf` says when all have been read, unless a whole file of that name is there. */
  store(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, nameOf: () => string): Promise<void>;
  /**
   * The bytes of the range, fewer at the end; undefined if there is no such file. Rejects with `ContentDamaged` where chunks
   * are missing; whether they have the right bytes is not looked at.
   */
  read(name: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  size(name: string): Promise<number | undefined>;
  keep(name: string): Promise<boolean>;
  /** Whether there is a file of that name, with the bytes of the name. Reads all of it. */
  isWhole(name: string): Promise<boolean>;
  /** In a sentence for operators. */
  readonly where: string;
  leftAlone(since: Date): AsyncIterable<string>;
  remove(name: string, since: Date): Promise<boolean>;
  /** Stores something and removes it. */
  probe(): Promise<void>;
  /** Waits for what runs in the background. */
  close(): Promise<void>;
}

export interface ContentCheck {
  add(bytes: Uint8Array): void;
  isContentOf(name: string): boolean;
}

export interface GridOptions {
  readonly database: Db;
  /** The first part of the collections' names. */
  readonly bucket: string;
  readonly chunkSize: number;
  readonly contentType?: string;
  /** Takes the bytes of a whole file, piece by piece, and says whether they are those of the name. */
  readonly createCheck: () => ContentCheck;
  readonly what: ContentDamaged['what'];
  /** The server may be away: the indexes are made by the first call that reaches it. */
  readonly mayBeAway?: boolean | undefined;
}

const DUPLICATE_KEY = 11_000;
/** Chunks that are sent together: together with what the driver adds they fit into a message many times over. */
const SENT_TOGETHER = 1024 * 1024;
/** How often a file may be removed just when it is kept, before a caller is told. */
const MOST_TURNS = 10;
const LISTED_TOGETHER = 500;
/** Of the pool's 32 connections: who stores much does not take them from the lists. */
const CALLS_AT_ONCE = 12;
/** Not every client of MongoDB reads a later year. */
const LATEST = new Date('9999-12-31T00:00:00Z');
const PROBE_BYTES = 256 * 1024;
/** Milliseconds. After an hour, chunks without a description are swept: long before that the upload gives up. */
const LONGEST_PAUSE = 30 * 60 * 1_000;
const SWEPT_EVERY = 60 * 60 * 1_000;

/** Makes the indexes if they are missing. */
export async function openGridFiles(options: GridOptions): Promise<GridFiles> {
  const { database, bucket, chunkSize, contentType, createCheck, what } = options;
  const where = `MongoDB (the collections ${bucket}.files and ${bucket}.chunks)`;
  const files = database.collection<GridFile>(`${bucket}.files`);
  const chunks = database.collection<GridChunk>(`${bucket}.chunks`);
  const probes = database.collection<{ readonly _id: ObjectId; readonly data: Binary }>(`${bucket}.probes`);
  let prepared: Promise<void> | undefined;

  async function makeIndexes(): Promise<void> {
    await files.createIndex({ filename: 1 }, { unique: true, ...IN_TIME });
    await files.createIndex({ 'metadata.keptAt': 1, _id: 1 }, IN_TIME);
    await chunks.createIndex({ files_id: 1, n: 1 }, { unique: true, ...IN_TIME });
  }

  /** Once; after a failure the next call tries again. */
  function prepare(): Promise<void> {
    prepared ??= makeIndexes().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  }

  await prepare().catch((error: unknown) => {
    if (options.mayBeAway !== true || !isAway(error)) throw error;
  });

  const inTurn = pLimit(CALLS_AT_ONCE);
  let closed = false;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let sweeping = Promise.resolve();

  /** What cannot be swept now is swept the next time. */
  function sweepSometimes(): void {
    const now = performance.now();
    if (closed || now - sweptAt < SWEPT_EVERY) return;
    sweptAt = now;
    sweeping = sweepChunks({ files, chunks, isStopped: () => closed }).catch(() => undefined);
  }

  async function keep(filename: string): Promise<boolean> {
    const kept = await files.updateOne({ filename }, { $max: { 'metadata.keptAt': new Date() } }, IN_TIME);
    return kept.matchedCount > 0;
  }

  async function upload(
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    nameOf: () => string,
  ): Promise<void> {
    const _id = new ObjectId();
    let length = 0;
    let writtenAt = performance.now();
    try {
      for await (const batch of batchesOf(pieces, { chunkSize, files_id: _id })) {
        await inTurn(() => chunks.insertMany(batch, IN_TIME));
        for (const { data } of batch) length += data.length();
        writtenAt = performance.now();
      }
      if (performance.now() - writtenAt > LONGEST_PAUSE) throw new Error('the pieces came too slowly');
    } catch (error) {
      await removeChunks(_id);
      throw error;
    }
    const filename = nameOf();
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const now = new Date();
      const metadata = { keptAt: now, ...(contentType === undefined ? {} : { contentType }) };
      try {
        await files.insertOne({ _id, filename, length, chunkSize, uploadDate: now, metadata }, IN_TIME);
        return;
      } catch (error) {
        // Of any other error nobody knows whether the description is there: its chunks stay.
        if (!isDuplicate(error)) throw error;
      }
      const there = await files.findOne({ filename }, IN_TIME);
      // A driver that lost the answer asks a second time.
      if (there?._id.equals(_id)) return;
      if (there !== null && !(await hasContentOf(there, filename))) {
        await files.deleteOne({ _id: there._id }, IN_TIME);
        await removeChunks(there._id);
        continue;
      }
      if (await keep(filename)) {
        await removeChunks(_id);
        return;
      }
    }
    await removeChunks(_id);
    throw new Error(`${filename} is removed as often as it is stored`);
  }

  function attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    return inTurn(() => inWordsOfThePort(what, () => prepare().then(work)));
  }

  /** What stays is swept. */
  async function removeChunks(files_id: ObjectId): Promise<void> {
    await chunks.deleteMany({ files_id }, IN_TIME).catch(() => undefined);
  }

  /** Undefined where bytes are missing: the file is being removed, or damaged. */
  async function bytesOf(file: GridFile, offset: number, end: number): Promise<Uint8Array | undefined> {
    const bytes = Buffer.allocUnsafe(end - offset);
    const first = Math.floor(offset / file.chunkSize);
    const last = Math.ceil(end / file.chunkSize) - 1;
    let n = first;
    const found = chunks.find(
      { files_id: file._id, n: { $gte: first, $lte: last } },
      { sort: { n: 1 }, projection: { _id: 0, n: 1, data: 1 }, ...IN_TIME },
    );
    for await (const chunk of found) {
      const begin = n * file.chunkSize;
      const size = Math.min(file.chunkSize, file.length - begin);
      if (chunk.n !== n || chunk.data.length() !== size) return undefined;
      const data = chunk.data.buffer.subarray(0, size);
      bytes.set(
        data.subarray(Math.max(0, offset - begin), Math.min(size, end - begin)),
        Math.max(0, begin - offset),
      );
      n += 1;
    }
    return n === last + 1 ? bytes : undefined;
  }

  async function hasContentOf(file: GridFile, name: string): Promise<boolean> {
    const check = createCheck();
    for (let offset = 0; offset < file.length; offset += SENT_TOGETHER) {
      const bytes = await bytesOf(file, offset, Math.min(file.length, offset + SENT_TOGETHER));
      if (bytes === undefined) return false;
      check.add(bytes);
    }
    return check.isContentOf(name);
  }

  async function readRange(name: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    // A file may be removed, and stored again, between the two looks at it.
    for (let turn = 0; turn < 2; turn++) {
      const file = await files.findOne({ filename: name }, IN_TIME);
      if (file === null) return undefined;
      const end = Math.min(offset + length, file.length);
      if (end <= offset && file.length > 0) return new Uint8Array(0);
      const bytes = end <= offset ? new Uint8Array(0) : await bytesOf(file, offset, end);
      if (bytes !== undefined) return bytes;
    }
    throw new ContentDamaged(what, name, where);
  }

  /** In the order of when they were kept; what is kept from now on is not listed. */
  async function* namesLeftAlone(since: Date): AsyncGenerator<string> {
    sweepSometimes();
    const begun = new Date();
    const before = since > begun ? { $lte: begun } : { $lt: since };
    let after: GridFile | undefined;
    for (;;) {
      const page: GridFile[] = await attempt('files cannot be listed', () =>
        files
          .find(
            after === undefined
              ? { 'metadata.keptAt': before }
              : {
                  $or: [
                    { 'metadata.keptAt': { ...before, $gt: after.metadata.keptAt } },
                    { 'metadata.keptAt': after.metadata.keptAt, _id: { $gt: after._id } },
                  ],
                },
            { sort: { 'metadata.keptAt': 1, _id: 1 }, limit: LISTED_TOGETHER, ...IN_TIME },
          )
          .toArray(),
      );
      for (const { filename } of page) yield filename;
      after = page.at(-1);
      if (after === undefined || page.length < LISTED_TOGETHER) return;
    }
  }

  sweepSometimes();
  return {
    store: (pieces, nameOf) =>
      inWordsOfThePort(`${bucket} cannot be stored`, () => prepare().then(() => upload(pieces, nameOf))),
    read: (name, offset, length) =>
      attempt(`${bucket} cannot be read`, () => readRange(name, offset, length)),
    size: (name) =>
      attempt(`${bucket} cannot be read`, async () => {
        const file = await files.findOne({ filename: name }, { projection: { length: 1 }, ...IN_TIME });
        return file?.length;
      }),
    keep: (name) => attempt(`${bucket} cannot be kept`, () => keep(name)),
    isWhole: (name) =>
      attempt(`${bucket} cannot be read`, async () => {
        const file = await files.findOne({ filename: name }, IN_TIME);
        return file !== null && (await hasContentOf(file, name));
      }),
    where,
    leftAlone: namesLeftAlone,
    remove: (name, since) =>
      attempt(`${bucket} cannot be removed`, async () => {
        const removed = await files.findOneAndDelete(
          { filename: name, 'metadata.keptAt': { $lt: since < LATEST ? since : LATEST } },
          IN_TIME,
        );
        if (removed === null) return false;
        await removeChunks(removed._id);
        return true;
      }),
    async probe() {
      await prepare();
      const _id = new ObjectId();
      await probes.insertOne({ _id, data: new Binary(Buffer.alloc(PROBE_BYTES)) }, IN_TIME);
      await probes.deleteOne({ _id }, IN_TIME);
    },
    async close() {
      closed = true;
      await sweeping;
    },
  };
}

async function inWordsOfThePort<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error, what);
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Chunks of equal size, copied from the pieces, some together. */
async function* batchesOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { chunkSize, files_id }: { readonly chunkSize: number; readonly files_id: ObjectId },
): AsyncGenerator<GridChunk[]> {
  const together = Math.max(1, Math.floor(SENT_TOGETHER / chunkSize));
  let batch: GridChunk[] = [];
  let chunk = Buffer.alloc(chunkSize);
  let filled = 0;
  let n = 0;
  const finish = () => {
    batch.push({ _id: new ObjectId(), files_id, n, data: new Binary(chunk.subarray(0, filled)) });
    n += 1;
    chunk = Buffer.alloc(chunkSize);
    filled = 0;
  };
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + chunkSize - filled);
      chunk.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled === chunkSize) finish();
      if (batch.length === together) {
        yield batch;
        batch = [];
      }
    }
  }
  if (filled > 0) finish();
  if (batch.length > 0) yield batch;
}
