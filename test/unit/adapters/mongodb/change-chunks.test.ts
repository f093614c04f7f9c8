import { expect, test } from 'vitest';
import { chunksOf } from '../../../../src/adapters/mongodb/change-chunks.ts';

const most = { changes: 3, bytes: 10 };
const sizes = (...bytes: readonly number[]) =>
  [
    ...chunksOf(
      bytes.map((each) => ({ bytes: each })),
      most,
    ),
  ].map((chunk) => chunk.map((each) => each.bytes));

test('a commit without changes has no chunk', () => {
  expect(sizes()).toEqual([]);
});

test('a chunk has as many changes as it may, in their order', () => {
  expect(sizes(1, 2, 3, 1, 2)).toEqual([
    [1, 2, 3],
    [1, 2],
  ]);
});

test('a chunk has as many bytes as it may', () => {
  expect(sizes(4, 6, 1)).toEqual([[4, 6], [1]]);
  expect(sizes(4, 7, 1)).toEqual([[4], [7, 1]]);
});

test('a change that is too large for any chunk is one by itself', () => {
  expect(sizes(1, 50, 1)).toEqual([[1], [50], [1]]);
});
