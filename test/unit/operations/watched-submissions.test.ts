/** Submissions that do not settle make those processes not ready that should settle them. */
import { expect, test } from 'vitest';
import { createForeignAdvances } from '../../../src/drafts/nonces/foreign-advances.ts';
import type { Submissions } from '../../../src/operations/workload.ts';
import { watchedMasterSeed, watchedSubmissions } from '../../../src/operations/workload.ts';

const clock = { now: () => new Date('2026-05-04T10:05:00.000Z') };
const overdue = {
  count: 3,
  oldest: {
    transactionId: 'first',
    acceptedAt: '2026-05-04T10:00:00.000Z',
    deadline: '2026-05-04T10:01:00.000Z',
  },
};

async function look(settles: boolean, found: Submissions['overdue'], isSettled = true) {
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
  const [check] = await watchedSubmissions({
    workload,
    clock,
    settles,
    hasSettler: async () => isSettled,
  }).check();
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
      reason: 'submissions are overdue: the chain node does not show their outcome',
      overdue: 3,
      oldestTransactionId: 'first',
      oldestAgeSeconds: 300,
    },
  });
});

test('a process without the role of the settler tells of them and goes on', async () => {
  expect(await look(false, overdue)).toMatchObject({ ok: true, details: { overdue: 3 } });
});

test('a process without the role says that no other has it', async () => {
  const reason = 'no process sends submissions; start one with the role `settler` (ROLES)';
  for (const found of [undefined, overdue])
    expect(await look(false, found, false)).toMatchObject({ ok: true, details: { reason } });
});

test('an advance of a nonce account that is not in the log names the account for an hour', async () => {
  let now = Date.parse('2026-05-04T10:05:00.000Z');
  const warnings: unknown[] = [];
  const foreignAdvances = createForeignAdvances({
    clock: { now: () => new Date(now) },
    logger: { warn: (details: unknown) => void warnings.push(details) },
  });
  const check = () => watchedMasterSeed(foreignAdvances).check();
  expect(await check()).toEqual([{ name: 'master seed', ok: true, details: {} }]);
  foreignAdvances.record('the account');
  expect(await check()).toEqual([
    {
      name: 'master seed',
      ok: false,
      isPartial: true,
      details: {
        reason: 'another service uses the same master seed, or the log is an older copy',
        account: 'the account',
        seenAt: '2026-05-04T10:05:00.000Z',
      },
    },
  ]);
  expect(warnings).toMatchObject([{ account: 'the account' }]);
  now += 3_600_000;
  expect(await check()).toMatchObject([{ ok: true }]);
});
