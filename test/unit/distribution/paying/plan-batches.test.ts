// Which payments a pot makes, and which of them go into one transaction.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangesOf } from '../../../../src/distribution/paying/plan-batches.ts';

describe('the pots of a run', () => {
  test('are none where nobody is paid, and one where one transaction pays all', () => {
    expect(rangesOf(0, 61, 50)).toEqual([]);
    expect(rangesOf(61, 61, 50)).toEqual([{ from: 0, to: 61 }]);
  });

  test('cover every payment once, in full batches but the last, and are no more than allowed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 61 }),
        fc.integer({ min: 1, max: 200 }),
        (payments, recipients, most) => {
          const pots = rangesOf(payments, recipients, most);
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
