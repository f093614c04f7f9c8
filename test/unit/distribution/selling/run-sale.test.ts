// What a run does about its sale now.
import { describe, expect, test } from 'vitest';
import {
  decideRunSale,
  isFresh,
  saleCheck,
  saleSchedule,
} from '../../../../src/distribution/selling/run-sale.ts';
import type { SaleQuote } from '../../../../src/distribution/selling/sale-venue.ts';
import type { QuoteRefusal } from '../../../../src/streams/unsold-reasons.ts';
import { runOpened, saleBasis, split } from '../../../support/distribution-examples.ts';
import { addresses } from '../../../support/domain-examples.ts';

const NOW = Date.parse('2026-05-04T11:03:00.000Z');
const sale = {
  venue: 'meteora' as const,
  mint: addresses.mint,
  decimals: 6,
  market: addresses.creator,
  amount: 7n,
  minimum: 1n,
};
const { at: _at, ...basis } = saleBasis;
const atMarket: SaleQuote = { sale, expected: 1n, basis };
const fixed: SaleQuote = { sale: { ...sale, venue: 'desk' }, expected: 1n, basis: null };
const refused = (reason: QuoteRefusal): SaleQuote => ({ reason });

const check = { check: 2 };
const waiting = { until: NOW + 50_000 };
const over = undefined;

const decide = (
  quote: SaleQuote,
  moment: ReturnType<typeof saleCheck>,
  change: Partial<Parameters<typeof decideRunSale>[0]> = {},
) =>
  decideRunSale({
    quote,
    now: NOW,
    tries: 0,
    lastCheck: 1,
    // After the check that is due now, one waits.
    nextCheck: (lastCheck) => (moment === check && lastCheck === check.check ? waiting : moment),
    ...change,
  });

describe('at a fixed price', () => {
  test('is sold at once, whatever the moment', () => {
    for (const moment of [check, waiting, over])
      expect(decide(fixed, moment)).toEqual({ kind: 'sell', sale: { ...sale, venue: 'desk' }, basis: null });
  });

  test('is not tried for ever', () => {
    expect(decide(fixed, check, { tries: 5 })).toEqual({ kind: 'keep', reason: 'sale-refused' });
  });
});

describe("at a market's price", () => {
  test('is sold at a moment that was drawn, and at no other', () => {
    expect(decide(atMarket, check)).toEqual({
      kind: 'sell',
      sale,
      basis: { ...basis, at: '2026-05-04T11:03:00.000Z' },
    });
    expect(decide(atMarket, waiting)).toEqual({
      kind: 'wait',
      until: NOW + 50_000,
      reason: undefined,
      lastCheck: 1,
    });
    expect(decide(atMarket, over)).toEqual({ kind: 'keep', reason: 'selling-time-over' });
  });

  test.each([
    'price-unknown',
    'price-below-reference',
  ] as const)('%s waits, until the time is over', (reason) => {
    expect(decide(refused(reason), check)).toEqual({
      kind: 'wait',
      until: NOW + 50_000,
      reason,
      lastCheck: 2,
    });
    expect(decide(refused(reason), waiting)).toMatchObject({ kind: 'wait', reason, lastCheck: 1 });
    expect(decide(refused(reason), over)).toEqual({ kind: 'keep', reason });
  });

  test.each([
    'no-market',
    'pool-empty',
    'own-tax',
    'impact-budget-spent',
  ] as const)('%s is not waited with', (reason) => {
    for (const moment of [check, waiting, over])
      expect(decide(refused(reason), moment)).toEqual({ kind: 'keep', reason });
  });

  test('is not tried for ever, and says that the chain refused', () => {
    expect(decide(atMarket, check, { tries: 5 })).toEqual({ kind: 'keep', reason: 'sale-refused' });
    expect(decide(atMarket, over, { tries: 1 })).toEqual({ kind: 'keep', reason: 'sale-refused' });
  });
});

test('a sale before the collection is a fault of ours', () => {
  const run = { open: runOpened.data, run: {}, now: NOW, secret: new Uint8Array(32) };
  expect(() => saleSchedule(run)).toThrow('the run cannot sell before it has collected');
});

describe('a recorded sale', () => {
  const selling = { tries: 1, offers: [{ till: split.till, amount: '7', minimum: '1', basis: saleBasis }] };
  const recordedAt = Date.parse(saleBasis.at);
  const sold = (venue: 'desk' | 'meteora') => ({
    ...split,
    actions: split.actions.map((action) => (action.kind === 'sell' ? { ...action, venue } : action)),
  });
  const pooled = sold('meteora');

  test('is signed again while its quote is fresh, and not later', () => {
    const fresh = (now: number) => isFresh(pooled, { selling }, now);
    expect(fresh(recordedAt + 60_000 - 1)).toBe(true);
    expect(fresh(recordedAt + 60_000)).toBe(false);
  });

  test('whose quote is not recorded is not', () => {
    expect(isFresh(pooled, {}, recordedAt)).toBe(false);
  });

  test('at a fixed price is signed for ever, as is what sells nothing', () => {
    expect(isFresh(sold('desk'), {}, recordedAt)).toBe(true);
    const burn = { till: split.till, actions: split.actions.slice(0, 1) };
    expect(isFresh(burn, {}, recordedAt)).toBe(true);
  });
});

describe('the moments of a sale', () => {
  const secret = new Uint8Array(32).fill(7);
  const COLLECTED = Date.parse('2026-05-04T11:00:00.000Z');
  const MINUTE = 60_000;
  const run = (number = 0) => ({
    runId: `2d2f3b0c-6f0e-5d8f-8a53-0d1f0c9f4a${String(number).padStart(2, '0')}`,
    dueAt: '2026-05-04T11:05:00.000Z',
    collectedAt: '2026-05-04T11:00:00.000Z',
    interval: '1h' as const,
  });

  /** The moments of all looks, as a service takes them that is always there. */
  function looksOf(number: number, by = secret, interval: '5m' | '1h' | '24h' = '1h'): readonly number[] {
    const moments: number[] = [];
    let lastCheck: number | undefined;
    for (let now = COLLECTED; ; ) {
      const moment = saleCheck({ ...run(number), interval }, now, lastCheck, by);
      if (moment === undefined) return moments;
      if ('check' in moment) {
        moments.push(now - COLLECTED);
        lastCheck = moment.check;
      } else now = moment.until;
    }
  }

  describe('the first check', () => {
    test('comes within a tenth of the interval, at most ten minutes, after the withdrawal', () => {
      const first = (interval: '5m' | '1h' | '24h') =>
        Array.from({ length: 60 }, (_none, number) => looksOf(number, secret, interval)[0] ?? -1);
      for (const [interval, most] of [
        ['5m', 0.5],
        ['1h', 6],
        ['24h', 10],
      ] as const) {
        const moments = first(interval);
        expect(Math.max(...moments)).toBeLessThan(most * MINUTE);
        expect(Math.max(...moments)).toBeGreaterThan(most * MINUTE * 0.8);
        expect(Math.min(...moments)).toBeLessThan(most * MINUTE * 0.2);
      }
    });

    test('cannot be told from the run without the secret', () => {
      expect(looksOf(1)[0]).not.toBe(looksOf(1, new Uint8Array(32))[0]);
      expect(looksOf(1)[0]).not.toBe(looksOf(2)[0]);
    });
  });

  describe('the looks that follow', () => {
    test('end with half of the next interval, or after fifty minutes', () => {
      expect(Math.max(...looksOf(4))).toBeLessThanOrEqual(35 * MINUTE);
      expect(Math.max(...looksOf(4))).toBeGreaterThan(32 * MINUTE);
      expect(Math.max(...looksOf(4, secret, '24h'))).toBeLessThanOrEqual(50 * MINUTE);
    });

    test('are taken once each, however often something else wakes the run', () => {
      const [first = 0] = looksOf(5);
      const at = COLLECTED + first + 10;
      expect(saleCheck(run(5), at, undefined, secret)).toEqual({ check: 0 });
      expect(saleCheck(run(5), at, 0, secret)).toHaveProperty('until');
    });
  });
});
