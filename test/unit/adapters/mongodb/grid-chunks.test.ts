// Which chunks a file has, and which part of each a range is.
import { ObjectId } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { batchesOf, chunkParts, SENT_TOGETHER } from '../../../../src/adapters/mongodb/grid-chunks.ts';

describe('the chunks of a range', () => {
  const file = { length: 25, chunkSize: 10 };

  test('are all of the file, the last one shorter', () => {
    expect(chunkParts(file, 0, 25)).toEqual([
      { n: 0, size: 10, from: 0, to: 10, at: 0 },
      { n: 1, size: 10, from: 0, to: 10, at: 10 },
      { n: 2, size: 5, from: 0, to: 5, at: 20 },
    ]);
  });

  test('are no more than those that hold it', () => {
    expect(chunkParts(file, 10, 20)).toEqual([{ n: 1, size: 10, from: 0, to: 10, at: 0 }]);
    expect(chunkParts(file, 12, 14)).toEqual([{ n: 1, size: 10, from: 2, to: 4, at: 0 }]);
    expect(chunkParts(file, 9, 11)).toEqual([
      { n: 0, size: 10, from: 9, to: 10, at: 0 },
      { n: 1, size: 10, from: 0, to: 1, at: 1 },
    ]);
  });

  test('of nothing are none', () => {
    expect(chunkParts({ length: 0, chunkSize: 10 }, 0, 0)).toEqual([]);
    expect(chunkParts(file, 10, 10)).toEqual([]);
  });

  test('give every range of every file', () => {
    for (const length of [1, 9, 10, 11, 30]) {
      const bytes = Uint8Array.from({ length }, (_, at) => at);
      for (let offset = 0; offset < length; offset++) {
        for (let end = offset + 1; end <= length; end++) {
          const read = new Uint8Array(end - offset);
          for (const { n, size, from, to, at } of chunkParts({ length, chunkSize: 10 }, offset, end)) {
            const chunk = bytes.subarray(n * 10, (n + 1) * 10);
            expect(chunk.length).toBe(size);
            read.set(chunk.subarray(from, to), at);
          }
          expect(read).toEqual(bytes.subarray(offset, end));
        }
      }
    }
  });
});

describe('what is stored', () => {
  const files_id = new ObjectId();

  async function stored(chunkSize: number, ...pieces: readonly Uint8Array[]) {
    const batches: (readonly [n: number, bytes: readonly number[]])[][] = [];
    for await (const batch of batchesOf(pieces, { chunkSize, files_id })) {
      for (const chunk of batch) expect(chunk.files_id).toBe(files_id);
      batches.push(batch.map(({ n, data }) => [n, [...data.buffer]] as const));
    }
    return batches;
  }

  test('are chunks of equal size, however the pieces are cut', async () => {
    const expected = [
      [
        [0, [1, 2]],
        [1, [3, 4]],
        [2, [5]],
      ],
    ];
    const bytes = Uint8Array.of(1, 2, 3, 4, 5);
    expect(await stored(2, bytes)).toEqual(expected);
    expect(await stored(2, ...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
    expect(await stored(2, bytes.subarray(0, 3), new Uint8Array(0), bytes.subarray(3))).toEqual(expected);
  });

  test('of no bytes is no chunk', async () => {
    expect(await stored(2)).toEqual([]);
    expect(await stored(2, new Uint8Array(0))).toEqual([]);
  });

  test('goes in batches, one of which is no larger than what is sent together', async () => {
    const chunkSize = SENT_TOGETHER / 2;
    const batches = await stored(chunkSize, new Uint8Array(SENT_TOGETHER + 1));
    expect(batches.map((batch) => batch.map(([n, bytes]) => [n, bytes.length]))).toEqual([
      [
        [0, chunkSize],
        [1, chunkSize],
      ],
      [[2, 1]],
    ]);
  });
});
