// A rank is found from an offset over blocks with gaps, as in a plain list.
import { expect, test } from 'vitest';
import { blockField } from '../../../../src/adapters/mongodb/layout.ts';
import { rankOf, spotOf } from '../../../../src/adapters/mongodb/list-places.ts';
import {
  BLOCK_RANKS,
  countMissing,
  emptyBits,
  listedIndex,
  setMissing,
} from '../../../../src/adapters/mongodb/rank-bitmap.ts';

/** A list of three and a half blocks: the second is full, the third is empty, elsewhere one in twenty has left. */
function listWithGaps() {
  const next = Math.floor(BLOCK_RANKS * 3.5);
  const bits = [0, 1, 2, 3].map(emptyBits);
  const listed: number[] = [];
  for (let rank = 0; rank < next; rank += 1) {
    const block = Math.floor(rank / BLOCK_RANKS);
    const hasLeft = block === 2 || (block !== 1 && (rank * 7) % 20 === 3);
    if (hasLeft) setMissing(bits[block] ?? emptyBits(), rank % BLOCK_RANKS, true);
    else listed.push(rank);
  }
  const counts = bits.map((each, block) => [blockField(block), countMissing(each)] as const);
  return { header: { next, blocks: Object.fromEntries(counts) }, bits, newestFirst: listed.reverse() };
}

test('every offset leads to the rank that a plain list has there', () => {
  const { header, bits, newestFirst } = listWithGaps();
  for (let offset = 0; offset < newestFirst.length; offset += 1) {
    const spot = spotOf(header, offset);
    const rank = rankOf(spot, spot.hasGaps ? bits[spot.block] : undefined, 'lowest');
    if (rank !== newestFirst[offset]) expect([offset, rank]).toEqual([offset, newestFirst[offset]]);
  }
  expect(newestFirst.length).toBeGreaterThan(BLOCK_RANKS * 2);
});

test('a block whose bits say something else than its count is read whole', () => {
  const spot = { block: 1, before: 30_000, ranks: BLOCK_RANKS, hasGaps: true };
  const bits = emptyBits();
  for (let index = 0; index < 10_000; index += 1) setMissing(bits, index, true);
  expect(rankOf(spot, bits, 'lowest')).toBe(BLOCK_RANKS);
  expect(rankOf(spot, bits, 'highest')).toBe(2 * BLOCK_RANKS - 1);
  expect(rankOf(spot, undefined, 'highest')).toBe(2 * BLOCK_RANKS - 1);
});

test('a bit is set, counted and taken back', () => {
  const bits = emptyBits();
  expect([setMissing(bits, 9, true), setMissing(bits, 9, true)]).toEqual([true, false]);
  expect([countMissing(bits), listedIndex(bits, 8), listedIndex(bits, 9)]).toEqual([1, 8, 10]);
  expect([setMissing(bits, 9, false), countMissing(bits)]).toEqual([true, 0]);
  expect(listedIndex(bits, BLOCK_RANKS)).toBe(-1);
});
