/**
 * Stores a file in GridFS: the chunks first, then the description, from which moment it is there. GridFS's own streams are
 * not used, since they need the name before the bytes.
 */
import { ObjectId } from 'mongodb';
import type { LimitFunction } from 'p-limit';
import { IN_TIME } from './client.ts';
import type { GridBucket } from './grid-bucket.ts';
import { batchesOf } from './grid-chunks.ts';
import type { GridFile } from './grid-documents.ts';
import { isDuplicateKey } from './write-conflict.ts';

/** How often a file may be removed just when it is kept, before a caller is told. */
const MOST_TURNS = 10;
/** Milliseconds. After an hour, chunks without a description are swept: long before that the upload gives up. */
const LONGEST_PAUSE = 30 * 60 * 1_000;

/** Stores the pieces under what `nameOf` says when all have been read, unless a whole file of that name is there. */
export type GridUpload = (
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  nameOf: () => string,
) => Promise<void>;

export function createGridUpload(options: {
  readonly bucket: GridBucket;
  readonly chunkSize: number;
  readonly contentType: string | undefined;
  /** Each write of chunks takes a turn, so that a long upload takes no connection for all its time. */
  readonly inTurn: LimitFunction;
  readonly keep: (name: string) => Promise<boolean>;
  readonly isWhole: (file: GridFile) => Promise<boolean>;
}): GridUpload {
  const { bucket, chunkSize, contentType, inTurn, keep, isWhole } = options;
  const { files, chunks, removeChunks } = bucket;

  /** Resolves with the length. Leaves no chunk when it rejects. */
  async function storeChunks(files_id: ObjectId, pieces: Parameters<GridUpload>[0]): Promise<number> {
    let length = 0;
    let writtenAt = performance.now();
    try {
      for await (const batch of batchesOf(pieces, { chunkSize, files_id })) {
        await inTurn(() => chunks.insertMany(batch, IN_TIME));
        for (const { data } of batch) length += data.length();
        writtenAt = performance.now();
      }
      if (performance.now() - writtenAt > LONGEST_PAUSE) throw new Error('the pieces came too slowly');
      return length;
    } catch (error) {
      await removeChunks(files_id);
      throw error;
    }
  }

  /** False if a file of that name is there already. */
  async function describe(_id: ObjectId, filename: string, length: number): Promise<boolean> {
    const now = new Date();
    const metadata = { keptAt: now, ...(contentType === undefined ? {} : { contentType }) };
    try {
      await files.insertOne({ _id, filename, length, chunkSize, uploadDate: now, metadata }, IN_TIME);
      return true;
    } catch (error) {
      // After any other error the description may be there, so its chunks stay.
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  return async (pieces, nameOf) => {
    const _id = new ObjectId();
    const length = await storeChunks(_id, pieces);
    const filename = nameOf();
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      if (await describe(_id, filename, length)) return;
      const there = await files.findOne({ filename }, IN_TIME);
      // A driver that lost the answer asks a second time.
      if (there?._id.equals(_id)) return;
      if (there !== null && !(await isWhole(there))) {
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
  };
}
