import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base58, fromBase58 } from '../src/bytes.ts';

describe('bytes as base58', () => {
  test('are written as bs58 writes them, whatever their length and their leading zeros', () => {
    const bytes = fc
      .tuple(fc.nat({ max: 5 }), fc.uint8Array({ maxLength: 100 }))
      .map(([zeros, rest]) => Uint8Array.from([...new Uint8Array(zeros), ...rest]));
    fc.assert(
      fc.property(bytes, (given) => {
        expect(base58(given)).toBe(bs58.encode(given));
      }),
      { numRuns: 2_000 },
    );
  });

  test('are read as bs58 reads them, also what is no base58', () => {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const digits = fc.constantFrom(...alphabet);
    const others = fc.constantFrom('0', 'O', 'I', 'l', ' ', '\u0000', 'é', '\u0131', '😀');
    const text = fc.oneof(
      fc.array(digits, { maxLength: 100 }),
      fc
        .tuple(fc.nat({ max: 5 }), fc.array(digits, { maxLength: 50 }))
        .map(([ones, rest]) => ['1'.repeat(ones), ...rest]),
      fc.array(fc.oneof({ weight: 20, arbitrary: digits }, { weight: 1, arbitrary: others }), {
        maxLength: 60,
      }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const written = given.join('');
        expect(fromBase58(written)).toEqual(bs58.decodeUnsafe(written));
      }),
      { numRuns: 3_000 },
    );
    expect(fromBase58('')).toEqual(new Uint8Array());
  });

  test('are written exactly at the edges of what a limb holds', () => {
    for (const digits of [1, 4, 5, 6, 10, 44]) {
      for (const text of ['2'.padEnd(digits, '1'), 'z'.repeat(digits)]) {
        expect(base58(fromBase58(text) ?? new Uint8Array())).toBe(text);
      }
    }
    expect(base58(new Uint8Array())).toBe('');
    expect(base58(new Uint8Array(32).fill(255))).toBe(bs58.encode(new Uint8Array(32).fill(255)));
  });
});
