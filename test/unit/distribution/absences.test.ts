// What a node does not show is gone only after many looks at later slots, over some seconds.
import { describe, expect, test } from 'vitest';
import { isConfirmed } from '../../../src/distribution/absences.ts';

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
    const found = looks(20, (index) => [index, index * SLOT]);
    expect(found.slice(0, -1)).not.toContain(true);
    expect(found.at(-1)).toBe(true);
  });

  test('is not gone while looks show the slot that was seen before, or an earlier one', () => {
    expect(looks(100, (index) => [5 - (index % 3), index * 10_000])).not.toContain(true);
  });

  test('is not gone before so many seconds have passed, however fast slots are', () => {
    const found = looks(1_000, (index) => [index, index]);
    expect(found).not.toContain(true);
    expect(looks(1_000, (index) => [index, index * 11]).indexOf(true)).toBe(Math.ceil(10_000 / 11));
  });

  test('is counted anew when the clock was set back', () => {
    const back = 19;
    const found = looks(2 * 20, (index) => [index, (index < back ? 1_000_000 : 0) + index * SLOT]);
    expect(found.indexOf(true)).toBe(back + 19);
  });

  test('is counted by its name, and anew once it was shown', () => {
    const absences = new Map();
    const look = (name: string, slot: number) =>
      isConfirmed(absences, name, { slot: BigInt(slot), at: slot * SLOT });
    const upTo = (last: number, name: string, from = 1) =>
      Array.from({ length: last }, (_, index) => look(name, from + index)).indexOf(true) + 1;
    expect(upTo(19, 'one')).toBe(0);
    expect(look('other', 20)).toBe(false);
    absences.delete('one');
    expect(upTo(20, 'one', 20)).toBe(20);
  });
});
