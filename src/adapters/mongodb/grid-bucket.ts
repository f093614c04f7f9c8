/** The collections of a bucket in GridFS, and their indexes. */
import { Binary, type Collection, type Db, ObjectId } from 'mongodb';
import { IN_TIME } from './client.ts';
import type { GridChunk, GridFile } from './grid-documents.ts';

export interface GridBucket {
  readonly files: Collection<GridFile>;
  readonly chunks: Collection<GridChunk>;
  /** Makes the indexes if they are missing, once; after a failure the next call tries again. */
  prepare(): Promise<void>;
  /** What stays is swept. */
  removeChunks(files_id: ObjectId): Promise<void>;
  /** Stores something and removes it. */
  probe(): Promise<void>;
}

const PROBE_BYTES = 256 * 1024;

/** `bucket` is the first part of the collections' names. */
export function createGridBucket(database: Db, bucket: string): GridBucket {
  const files = database.collection<GridFile>(`${bucket}.files`);
  const chunks = database.collection<GridChunk>(`${bucket}.chunks`);
  const probes = database.collection<{ readonly _id: ObjectId; readonly data: Binary }>(`${bucket}.probes`);
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
    files,
    chunks,
    prepare,
    async removeChunks(files_id) {
      await chunks.deleteMany({ files_id }, IN_TIME).catch(() => undefined);
    },
    async probe() {
      await prepare();
      const _id = new ObjectId();
      await probes.insertOne({ _id, data: new Binary(Buffer.alloc(PROBE_BYTES)) }, IN_TIME);
      await probes.deleteOne({ _id }, IN_TIME);
    },
  };
}
