/**
 * Stores a file in GridFS. Its name is known when all bytes are, so it is uploaded under a temporary name and then renamed:
 * from that moment on it is there.
 */
import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { type GridFSBucketWriteStream, MongoServerError, ObjectId } from 'mongodb';
import pLimit from 'p-limit';
import { IN_TIME } from './client.ts';
import type { GridBucket, GridFile } from './grid-bucket.ts';

/** No name of a stored file begins like this. */
export const TEMPORARY = 'uploading:';

/** A share of the pool's 32 connections. */
const UPLOADS_AT_ONCE = 6;
/** How often a file may be removed just when it is kept, before the upload fails. */
const MOST_TURNS = 10;
/** Milliseconds. After an hour, chunks without a file are swept: the upload fails long before that. */
const LONGEST_PAUSE = 30 * 60 * 1_000;

type Pieces = AsyncIterable<Uint8Array>;

/** Stores the pieces under their SHA-256, unless a whole file of that name is there, and resolves with it. */
export type GridUpload = (pieces: Pieces) => Promise<string>;

export function createGridUpload({
  grid: { bucket, files, discard },
  keep,
  isWhole,
}: {
  readonly grid: GridBucket;
  readonly keep: (name: string) => Promise<boolean>;
  readonly isWhole: (file: GridFile) => Promise<boolean>;
}): GridUpload {
  const inTurn = pLimit(UPLOADS_AT_ONCE);

  /** Resolves with the SHA-256. Leaves no chunk when it rejects. */
  async function upload(id: ObjectId, pieces: Pieces): Promise<string> {
    const hash = createHash('sha256');
    const stream = bucket.openUploadStreamWithId(id, `${TEMPORARY}${id}`, { metadata: {} });
    const done = finished(stream);
    done.catch(() => undefined);
    try {
      // Not by a pipeline, which reads ahead: the memory of a piece may be used again for the next one.
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

  return (pieces) =>
    inTurn(async () => {
      const id = new ObjectId();
      const filename = await upload(id, pieces);
      for (let turn = 1; turn <= MOST_TURNS; turn++) {
        const there = await files.findOne({ filename }, IN_TIME);
        if (there === null) {
          try {
            await rename(id, filename);
            return filename;
          } catch (error) {
            // The server refuses a second file of one name, which is found in the next turn. After any other error the file
            // may have its name, so it stays.
            if (!(error instanceof MongoServerError) || turn === MOST_TURNS) throw error;
          }
        } else if (!(await isWhole(there))) await discard(there._id);
        else if (await keep(filename)) {
          await discard(id);
          return filename;
        }
      }
      await discard(id);
      throw new Error(`${filename} is removed as often as it is stored`);
    });
}

function write(stream: GridFSBucketWriteStream, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

function requireShortPause(since: number): void {
  if (performance.now() - since > LONGEST_PAUSE) throw new Error('the pieces came too slowly');
}
