// Which payments a pot makes, and which of them go into one transaction.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchFrom, nextBatch, stretchesOf } from '../../../../src/distribution/paying/plan-batches.ts';

describe('the pots of a run', () => {
  test('are none where nobody is paid, and one where one transaction pays all', () => {
    expect(stretchesOf(0, 61, 50)).toEqual([]);
    expect(stretchesOf(61, 61, 50)).toEqual([{ from: 0, to: 61 }]);
  });

  test('cover every payment once, in full batches but the last, and are no more than allowed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 61 }),
        fc.integer({ min: 1, max: 200 }),
        (payments, recipients, most) => {
          const pots = stretchesOf(payments, recipients, most);
          expect(pots.length).toBeLessThanOrEqual(most);
          expect(pots[0]?.from).toBe(0);
          expect(pots.at(-1)?.to).toBe(payments);
          for (const [index, { from, to }] of pots.entries()) {
            expect(from).toBeLessThan(to);
            expect(from % recipients).toBe(0);
            if (index > 0) expect(pots[index - 1]?.to).toBe(from);
          }
        },
      ),
    );
  });
});

describe('a batch', () => {
  const refused = { 'sol/2': 'frozen', 'sol/3': 'closed', 'token/0': 'closed' } as const;
  const at = { pot: 0, value: '100', from: 0 };

  test('takes the next payments, without those that the chain has refused', () => {
    expect(batchFrom({ refused }, at, { asset: 'sol', to: 10 }, 3)).toEqual({
      ...at,
      to: 5,
      without: [2, 3],
    });
    expect(batchFrom({ refused: {} }, at, { asset: 'sol', to: 10 }, 3)).toEqual({
      ...at,
      to: 3,
      without: [],
    });
  });

  test('ends where the pot does', () => {
    expect(batchFrom({ refused: {} }, { ...at, from: 8 }, { asset: 'sol', to: 10 }, 61)?.to).toBe(10);
  });

  test('is none where nobody is left', () => {
    const pots = [{ value: '7', next: 2, plans: [] }];
    expect(nextBatch({ pots, refused }, 0, { asset: 'sol', to: 4 }, 61)).toBeUndefined();
    expect(nextBatch({ pots, refused }, 0, { asset: 'sol', to: 5 }, 61)).toEqual({
      pot: 0,
      value: '7',
      from: 2,
      to: 5,
      without: [2, 3],
    });
  });
});
