/**
 * Files in GridFS, named by their content and left alone since a moment. A file is there from the moment when it has its
 * name; what a killed process leaves of an upload is removed an hour later.
 */
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import type { ContentDamaged } from '../../kernel/ports/content-damaged.ts';
import { IN_TIME } from './client.ts';
import { isAway, storeError } from './errors.ts';
import { createGridBucket, type GridBucket } from './grid-bucket.ts';
import { type ContentCheck, createGridReader } from './grid-reader.ts';
import { createGridUpload, type GridUpload } from './grid-upload.ts';
import { leftAloneNames } from './left-alone-names.ts';
import { sweepChunks } from './sweep-chunks.ts';

export interface GridFiles {
  readonly store: GridUpload;
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

export interface GridOptions {
  readonly database: Db;
  /** The first part of the collections' names. */
  readonly bucket: string;
  readonly chunkSize: number;
  readonly contentType?: string;
  readonly createCheck: () => ContentCheck;
  readonly what: ContentDamaged['what'];
  /** The server may be away: the indexes are made by the first call that reaches it. */
  readonly mayBeAway?: boolean | undefined;
}

/** A share of the pool's 32 connections: large uploads leave the others to the lists. */
const CALLS_AT_ONCE = 12;
/** Not every client of MongoDB reads a later year. */
const LATEST = new Date('9999-12-31T00:00:00Z');
/** Milliseconds. */
const SWEPT_EVERY = 60 * 60 * 1_000;

/** Makes the indexes if they are missing. */
export async function openGridFiles(options: GridOptions): Promise<GridFiles> {
  const { bucket: name, chunkSize, contentType, createCheck, what } = options;
  const where = `MongoDB (the collections ${name}.files and ${name}.chunks)`;
  const grid = createGridBucket(options.database, name, chunkSize);
  const { files, prepare } = grid;
  await prepare().catch((error: unknown) => {
    if (options.mayBeAway !== true || !isAway(error)) throw error;
  });

  const inTurn = pLimit(CALLS_AT_ONCE);
  const attempt = <Result>(failure: string, work: () => Promise<Result>): Promise<Result> =>
    inTurn(() => inWordsOfThePort(failure, () => prepare().then(work)));
  const reader = createGridReader(grid, { createCheck, what, where });
  const keep = (filename: string) => keepFile(grid, filename);
  const upload = createGridUpload({ grid, contentType, keep, isWhole: reader.isWhole });
  const sweeper = createSweeper(grid);
  sweeper.sweepSometimes();

  return {
    where,
    probe: grid.probe,
    close: sweeper.close,
    store: (pieces, nameOf) =>
      inWordsOfThePort(`${name} cannot be stored`, () => prepare().then(() => upload(pieces, nameOf))),
    read: (filename, offset, length) =>
      attempt(`${name} cannot be read`, () => reader.range(filename, offset, length)),
    size: (filename) => attempt(`${name} cannot be read`, () => reader.size(filename)),
    keep: (filename) => attempt(`${name} cannot be kept`, () => keep(filename)),
    isWhole: (filename) =>
      attempt(`${name} cannot be read`, async () => {
        const file = await files.findOne({ filename }, IN_TIME);
        return file !== null && (await reader.isWhole(file));
      }),
    async *leftAlone(since) {
      sweeper.sweepSometimes();
      yield* leftAloneNames(files, since, (look) => attempt('files cannot be listed', look));
    },
    remove: (filename, since) =>
      attempt(`${name} cannot be removed`, () => removeFile(grid, filename, since)),
  };
}

async function keepFile({ files }: GridBucket, filename: string): Promise<boolean> {
  const kept = await files.updateOne({ filename }, { $max: { 'metadata.keptAt': new Date() } }, IN_TIME);
  return kept.matchedCount > 0;
}

async function removeFile({ files, chunks }: GridBucket, filename: string, since: Date): Promise<boolean> {
  const removed = await files.findOneAndDelete(
    { filename, 'metadata.keptAt': { $lt: since < LATEST ? since : LATEST } },
    IN_TIME,
  );
  if (removed === null) return false;
  // The sweep removes the rest.
  await chunks.deleteMany({ files_id: removed._id }, IN_TIME).catch(() => undefined);
  return true;
}

/** What cannot be swept now is swept the next time. */
function createSweeper({ files, chunks }: GridBucket) {
  let closed = false;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let sweeping = Promise.resolve();
  return {
    sweepSometimes(): void {
      const now = performance.now();
      if (closed || now - sweptAt < SWEPT_EVERY) return;
      sweptAt = now;
      sweeping = sweepChunks({ files, chunks, isStopped: () => closed }).catch(() => undefined);
    },
    async close(): Promise<void> {
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
