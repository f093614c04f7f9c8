// Payments of the last 24 hours and seven days, added up when they are read: nothing older than that is stored.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_RECENT_PAYMENTS, recentlyPaid, withPayments } from '../../../src/projections/recent-payments.ts';

const sol = (amount: number) => ({ sol: `${amount}`, token: '0' });

function paidAt(now: string, ...payments: readonly (readonly [at: string, lamports: number])[]) {
  const recent = payments.reduce(
    (before, [at, lamports]) => withPayments(before, at, sol(lamports)),
    NO_RECENT_PAYMENTS,
  );
  const { last24Hours, last7Days } = recentlyPaid(recent, new Date(now));
  return [last24Hours.sol, last7Days.sol];
}

test('a payment counts until its hour ended 24 hours ago, and until its day is the seventh before', () => {
  const paid = ['2026-05-04T11:01:00.000Z', 7] as const;
  expect(paidAt('2026-05-04T11:01:00.000Z', paid)).toEqual(['7', '7']);
  expect(paidAt('2026-05-05T11:59:59.999Z', paid)).toEqual(['7', '7']);
  expect(paidAt('2026-05-05T12:00:00.000Z', paid)).toEqual(['0', '7']);
  expect(paidAt('2026-05-10T23:59:59.999Z', paid)).toEqual(['0', '7']);
  expect(paidAt('2026-05-11T00:00:00.000Z', paid)).toEqual(['0', '0']);
});

test('however often a token pays, it stores at most 25 hours and seven days, and forgets none that still count', () => {
  const start = Date.parse('2026-05-04T00:00:00.000Z');
  const gaps = fc.array(fc.integer({ min: 0, max: 6 * 3_600_000 }), { maxLength: 100 });
  fc.assert(
    fc.property(gaps, (minutes) => {
      let at = start;
      const times = minutes.map((gap) => {
        at += gap;
        return new Date(at).toISOString();
      });
      const recent = times.reduce((before, time) => withPayments(before, time, sol(1)), NO_RECENT_PAYMENTS);
      expect(Object.keys(recent.hours).length).toBeLessThanOrEqual(25);
      expect(Object.keys(recent.days).length).toBeLessThanOrEqual(7);
      const since = (from: string) => `${times.filter((time) => time >= from).length}`;
      const back = (days: number, digits: number) =>
        new Date(at - days * 86_400_000).toISOString().slice(0, digits);
      expect(recentlyPaid(recent, new Date(at))).toEqual({
        last24Hours: { sol: since(back(1, 13)), token: '0' },
        last7Days: { sol: since(back(6, 10)), token: '0' },
      });
    }),
  );
});
