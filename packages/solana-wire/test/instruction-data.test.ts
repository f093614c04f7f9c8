import { describe, expect, test } from 'vitest';
import { joined, unsigned } from '../src/instruction-data.ts';

describe('numbers in instruction data', () => {
  test('are little-endian, in the bytes of their field', () => {
    expect(unsigned(65_535, 2)).toEqual(Uint8Array.of(255, 255));
    expect(unsigned(258, 4)).toEqual(Uint8Array.of(2, 1, 0, 0));
    expect(unsigned(2n ** 64n - 1n, 8)).toEqual(new Uint8Array(8).fill(255));
    expect([...joined([unsigned(1, 1), unsigned(2, 2)])]).toEqual([1, 2, 0]);
  });

  test('that do not fit are refused and never wrap around', () => {
    expect(() => unsigned(65_536, 2)).toThrow(RangeError);
    expect(() => unsigned(-1, 8)).toThrow(RangeError);
    expect(() => unsigned(1.5, 8)).toThrow(RangeError);
    expect(() => unsigned(2n ** 64n, 8)).toThrow(RangeError);
  });
});
