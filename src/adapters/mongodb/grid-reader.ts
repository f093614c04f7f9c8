/** Reads files in GridFS by range, and compares a whole one with its name. */
import { createHash } from 'node:crypto';
import { MongoGridFSChunkError, MongoRuntimeError } from 'mongodb';
import { ContentDamaged } from '../../kernel/ports/errors.ts';
import { IN_TIME } from './client.ts';
import type { GridBucket, GridFile } from './grid-bucket.ts';

export interface GridReader {
  /** Undefined if there is no such file. @throws ContentDamaged where chunks are missing. */
  range(name: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  size(name: string): Promise<number | undefined>;
  /** Whether the file has all bytes, and those of its name. Reads all of it. */
  isWhole(file: GridFile): Promise<boolean>;
}

export function createGridReader(
  { bucket, files }: Pick<GridBucket, 'bucket' | 'files'>,
  { content, where }: { readonly content: ContentDamaged['what']; readonly where: string },
): GridReader {
  /** Undefined where bytes are missing: the file is being removed, or damaged. */
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
    async range(name, offset, length) {
      // A file may be removed, and stored again, between the two queries.
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

    async size(name) {
      const file = await files.findOne({ filename: name }, { projection: { length: 1 }, ...IN_TIME });
      return file?.length;
    },

    async isWhole({ _id, filename }) {
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
