// What a node does not show is gone only after many looks at later slots, over some seconds.
import { describe, expect, test } from 'vitest';
import { GONE_AFTER, isConfirmed, READS_UNTIL_GONE } from '../../../src/distribution/absences.ts';

const SLOT = 700;

/** Looks one after another: the slot and the moment of each. */
function looks(count: number, each: (index: number) => readonly [slot: number, at: number]): boolean[] {
  const absences = new Map();
  return Array.from({ length: count }, (_, index) => {
    const [slot, at] = each(index);
    return isConfirmed(absences, 'it', { slot: BigInt(slot), at });
  });
}

describe('what is missing', () => {
  test('is gone at the last of so many looks, each at a later slot, over so long', () => {
    const found = looks(READS_UNTIL_GONE, (index) => [index, index * SLOT]);
    expect(found.slice(0, -1)).not.toContain(true);
    expect(found.at(-1)).toBe(true);
  });

  test('is not gone while looks show the slot that was seen before, or an earlier one', () => {
    expect(looks(100, (index) => [5 - (index % 3), index * GONE_AFTER])).not.toContain(true);
  });

  test('is not gone before so many seconds have passed, however fast slots are', () => {
    const found = looks(1_000, (index) => [index, index]);
    expect(found).not.toContain(true);
    expect(looks(1_000, (index) => [index, index * 11]).indexOf(true)).toBe(Math.ceil(GONE_AFTER / 11));
  });

  test('is counted anew when the clock was set back', () => {
    const back = READS_UNTIL_GONE - 1;
    const found = looks(2 * READS_UNTIL_GONE, (index) => [
      index,
      (index < back ? 1_000_000 : 0) + index * SLOT,
    ]);
    expect(found.indexOf(true)).toBe(back + READS_UNTIL_GONE - 1);
  });

  test('is counted by its name, and anew once it was shown', () => {
    const absences = new Map();
    const look = (name: string, slot: number) =>
      isConfirmed(absences, name, { slot: BigInt(slot), at: slot * SLOT });
    const upTo = (last: number, name: string, from = 1) =>
      Array.from({ length: last }, (_, index) => look(name, from + index)).indexOf(true) + 1;
    expect(upTo(READS_UNTIL_GONE - 1, 'one')).toBe(0);
    expect(look('other', READS_UNTIL_GONE)).toBe(false);
    absences.delete('one');
    expect(upTo(READS_UNTIL_GONE, 'one', READS_UNTIL_GONE)).toBe(READS_UNTIL_GONE);
  });
});
