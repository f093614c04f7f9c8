// What an operator is told first: how much waits, whether the accounts that pay hold enough, and what is not known while a part is away.
import { expect, test } from 'vitest';
import { getOverview } from '../../../src/queries/get-overview.ts';
import { addresses } from '../../support/domain-examples.ts';
import { answering } from '../../support/query-spec.ts';

const ROLE = { role: 'settler', state: 'held', holder: 'machine 7', until: null } as const;

async function overview(balance: () => Promise<bigint>, roleStatuses = async () => [ROLE]) {
  const ask = await answering([]);
  const workload = {
    drafts: async () => ({ open: 3, submitted: 2, confirmed: 1 }),
    submissions: async () => ({ unknown: 1, oldestAcceptedAt: undefined }),
  };
  const payers = [{ name: 'fee payer', address: addresses.creator, floor: 1_000n, balance }] as const;
  return ask(getOverview, { services: { roleStatuses, payers, workload } });
}

const payer = { name: 'fee payer', address: addresses.creator, floor: '1000' };

test('a balance is enough from its floor on', async () => {
  expect(await overview(async () => 1_000n)).toEqual({
    roles: [ROLE],
    waiting: { awaitingSignature: 3, submitted: 2, confirmed: 1, unknown: 1, oldestAcceptedAt: null },
    payers: [{ ...payer, lamports: '1000', isEnough: true }],
  });
  expect(await overview(async () => 999n)).toMatchObject({
    payers: [{ ...payer, lamports: '999', isEnough: false }],
  });
});

test('a chain that does not tell keeps nobody from seeing who does what', async () => {
  const unknown = { roles: [ROLE], payers: [{ ...payer, lamports: null, isEnough: null }] };
  expect(await overview(() => Promise.reject(new Error('away')))).toMatchObject(unknown);
});

test('a store that does not answer is told as such', async () => {
  const away = () => Promise.reject(new Error('away'));
  await expect(overview(async () => 1n, away)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});
