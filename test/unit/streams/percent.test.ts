import { describe, expect, test } from 'vitest';
import { basisPointsFromPercent, percentFromBasisPoints } from '../../../src/streams/percent.ts';
import { inSol } from '../../../src/streams/value-types.ts';

const everyBasisPoint = Array.from({ length: 10_001 }, (_, basisPoints) => basisPoints);

function decimalText(basisPoints: number): string {
  return `${Math.floor(basisPoints / 100)}.${String(basisPoints % 100).padStart(2, '0')}`;
}

describe('percentages', () => {
  test('all 10,001 values from 0.00 to 100.00 are exact both ways, as JSON reads and writes them', () => {
    for (const basisPoints of everyBasisPoint) {
      const read: number = JSON.parse(decimalText(basisPoints));
      expect(basisPointsFromPercent(read)).toBe(basisPoints);
      expect(percentFromBasisPoints(basisPoints)).toBe(read);
      const rewritten: number = JSON.parse(JSON.stringify(percentFromBasisPoints(basisPoints)));
      expect(basisPointsFromPercent(rewritten)).toBe(basisPoints);
    }
  });

  test('more than two decimals are refused, however small the rest', () => {
    for (const basisPoints of everyBasisPoint) {
      const read: number = JSON.parse(`${decimalText(basisPoints)}5`);
      expect(basisPointsFromPercent(read)).toBeUndefined();
    }
    expect(basisPointsFromPercent(0.1 + 0.2)).toBeUndefined();
    expect(basisPointsFromPercent(1e-7)).toBeUndefined();
  });

  test('what is negative, not finite or too large to be exact is refused', () => {
    for (const percent of [-1, -0.01, Number.NaN, Infinity, -Infinity, 1e21, Number.MAX_SAFE_INTEGER]) {
      expect(basisPointsFromPercent(percent)).toBeUndefined();
    }
  });

  test('minus zero is zero', () => {
    expect(basisPointsFromPercent(-0)).toBe(0);
  });

  test('there is no upper bound of its own', () => {
    expect(basisPointsFromPercent(100.01)).toBe(10_001);
    expect(basisPointsFromPercent(12_345.6)).toBe(1_234_560);
  });
});

test.each([
  [0n, '0 SOL'],
  [1n, '0.000000001 SOL'],
  [50_000n, '0.00005 SOL'],
  [1_000_000_000n, '1 SOL'],
  [20_500_000_000n, '20.5 SOL'],
])('%d lamports read as %s', (lamports, text) => {
  expect(inSol(lamports)).toBe(text);
});
