/** Reads files in GridFS by range, and compares a whole one with its name. */
import { ContentDamaged } from '../../kernel/ports/content-damaged.ts';
import { IN_TIME } from './client.ts';
import type { GridBucket } from './grid-bucket.ts';
import { chunkParts, SENT_TOGETHER } from './grid-chunks.ts';
import type { GridFile } from './grid-documents.ts';

export interface ContentCheck {
  add(bytes: Uint8Array): void;
  isContentOf(name: string): boolean;
}

export interface GridReader {
  /** Undefined if there is no such file. @throws ContentDamaged where chunks are missing. */
  range(name: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  size(name: string): Promise<number | undefined>;
  /** Whether the file has all bytes, and those of its name. Reads all of it. */
  isWhole(file: GridFile): Promise<boolean>;
}

export function createGridReader(
  { files, chunks }: Pick<GridBucket, 'files' | 'chunks'>,
  options: {
    /** Takes the bytes of a whole file, piece by piece, and says whether they are those of the name. */
    readonly createCheck: () => ContentCheck;
    readonly what: ContentDamaged['what'];
    readonly where: string;
  },
): GridReader {
  const { createCheck, what, where } = options;

  /** Undefined where bytes are missing: the file is being removed, or damaged. */
  async function bytesOf(file: GridFile, offset: number, end: number): Promise<Uint8Array | undefined> {
    const bytes = Buffer.allocUnsafe(end - offset);
    const parts = chunkParts(file, offset, end);
    const found = chunks.find(
      { files_id: file._id, n: { $gte: parts[0]?.n ?? 0, $lte: parts.at(-1)?.n ?? -1 } },
      { sort: { n: 1 }, projection: { _id: 0, n: 1, data: 1 }, ...IN_TIME },
    );
    let count = 0;
    for await (const { n, data } of found) {
      const part = parts[count];
      if (n !== part?.n || data.length() !== part.size) return undefined;
      bytes.set(data.buffer.subarray(part.from, part.to), part.at);
      count += 1;
    }
    return count === parts.length ? bytes : undefined;
  }

  return {
    async range(name, offset, length) {
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
    },

    async size(name) {
      const file = await files.findOne({ filename: name }, { projection: { length: 1 }, ...IN_TIME });
      return file?.length;
    },

    async isWhole(file) {
      const check = createCheck();
      for (let offset = 0; offset < file.length; offset += SENT_TOGETHER) {
        const bytes = await bytesOf(file, offset, Math.min(file.length, offset + SENT_TOGETHER));
        if (bytes === undefined) return false;
        check.add(bytes);
      }
      return check.isContentOf(file.filename);
    },
  };
}
