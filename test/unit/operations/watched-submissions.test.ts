/** Submissions that do not settle make those processes not ready that should settle them. */
import { expect, test } from 'vitest';
import { watchedSubmissions } from '../../../src/operations/watched-submissions.ts';
import type { Submissions } from '../../../src/operations/workload.ts';

const clock = { now: () => new Date('2026-05-04T10:05:00.000Z') };
const overdue = { count: 3, oldest: { transactionId: 'first', acceptedAt: '2026-05-04T10:00:00.000Z' } };

async function look(settles: boolean, found: Submissions['overdue']) {
  const workload = {
    drafts: async () => ({ open: 0, submitted: 3, confirmed: 0 }),
    nonceAccounts: async () => ({ known: 5, leased: 4, free: 1 }),
    submissions: async () => ({
      toSettle: 4,
      oldestAcceptedAt: '2026-05-04T10:00:00.000Z',
      flooded: 0,
      unknown: 0,
      overdue: found,
    }),
  };
  const [check] = await watchedSubmissions({ workload, clock, settles }).look();
  return check;
}

test('what is under way is fine until it is overdue', async () => {
  expect(await look(true, undefined)).toEqual({
    name: 'submissions',
    ok: true,
    details: { toSettle: 4, nonceAccounts: 5, nonceAccountsLeased: 4 },
  });
});

test('overdue submissions are told with the oldest, and make a settler not ready', async () => {
  expect(await look(true, overdue)).toMatchObject({
    ok: false,
    details: {
      reason: 'submissions are overdue: the chain node shows no outcome of them',
      overdue: 3,
      oldestTransactionId: 'first',
      oldestAgeSeconds: 300,
    },
  });
});

test('a process without the role of the settler tells of them and goes on', async () => {
  expect(await look(false, overdue)).toMatchObject({ ok: true, details: { overdue: 3 } });
});
