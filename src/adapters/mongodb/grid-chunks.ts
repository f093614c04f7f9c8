/** Which chunks a file in GridFS has, and which part of each a range is. */
import { Binary, ObjectId } from 'mongodb';
import type { GridChunk, GridFile } from './grid-documents.ts';

/** Chunks that are sent together: together with what the driver adds they fit into a message many times over. */
export const SENT_TOGETHER = 1024 * 1024;

/** The part of a chunk that belongs to a range. */
export interface ChunkPart {
  readonly n: number;
  /** Bytes that the whole chunk must have. */
  readonly size: number;
  /** Where the part is in the chunk. */
  readonly from: number;
  readonly to: number;
  /** Where it is in the range. */
  readonly at: number;
}

/** Those of the range from `offset` to `end`, which is within the file. */
export function chunkParts(
  { length, chunkSize }: Pick<GridFile, 'length' | 'chunkSize'>,
  offset: number,
  end: number,
): readonly ChunkPart[] {
  const first = Math.floor(offset / chunkSize);
  const count = Math.max(0, Math.ceil(end / chunkSize) - first);
  return Array.from({ length: count }, (_, number) => {
    const n = first + number;
    const begin = n * chunkSize;
    const size = Math.min(chunkSize, length - begin);
    return {
      n,
      size,
      from: Math.max(0, offset - begin),
      to: Math.min(size, end - begin),
      at: Math.max(0, begin - offset),
    };
  });
}

/** Chunks of equal size, copied from the pieces, some together. */
export async function* batchesOf(
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
