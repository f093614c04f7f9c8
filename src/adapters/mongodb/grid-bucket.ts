/** A bucket of GridFS: the driver's, with the indexes that the service needs beside the driver's own. */
import { Binary, type Collection, type Db, GridFSBucket, type GridFSFile, ObjectId } from 'mongodb';
import { IN_TIME } from './client.ts';

export interface GridFile extends GridFSFile {
  readonly metadata: { readonly keptAt?: Date };
}

export interface GridBucket {
  readonly bucket: GridFSBucket;
  readonly files: Collection<GridFile>;
  readonly chunks: Collection<{ readonly _id: ObjectId; readonly files_id: ObjectId; readonly n: number }>;
  /** Makes the indexes if they are missing, once; after a failure the next call tries again. */
  prepare(): Promise<void>;
  /** Removes a file, or the chunks of an upload. The sweep removes what is left. */
  discard(id: ObjectId): Promise<void>;
  /** Stores something and removes it. */
  probe(): Promise<void>;
}

const PROBE_BYTES = 256 * 1024;

/** `bucketName` is the first part of the collections' names. */
export function createGridBucket(database: Db, bucketName: string, chunkSizeBytes: number): GridBucket {
  const bucket = new GridFSBucket(database, { bucketName, chunkSizeBytes });
  const files = database.collection<GridFile>(`${bucketName}.files`);
  const chunks: GridBucket['chunks'] = database.collection(`${bucketName}.chunks`);
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
    prepare,
    discard: (id) => bucket.delete(id).catch(() => undefined),
    async probe() {
      await prepare();
      const _id = new ObjectId();
      await probes.insertOne({ _id, data: new Binary(Buffer.alloc(PROBE_BYTES)) }, IN_TIME);
      await probes.deleteOne({ _id }, IN_TIME);
    },
  };
}
