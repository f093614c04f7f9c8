// Nonce accounts are scarce.
import { beforeAll, expect, test } from 'vitest';
import { type Creator, openCreator, type TokenInput } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { allAtRest, openServiceOnChain, openTestChain, readiness } from '../support/service-on-chain.ts';
import { latest, nonceValueOnChain } from '../support/settling.ts';

let chainUrl: string;

beforeAll(async () => {
  chainUrl = (await openTestChain()).url;
});

async function createUnsigned(creator: Creator, input?: TokenInput) {
  const json = input ?? (await creator.tokenInput());
  return creator.call<{ code?: string }>('POST', '/tokens/create-unsigned', { json });
}

test.concurrent('when every nonce account is leased a draft is refused with a time to try again; an expired draft gives its account back, unspent', async () => {
  const service = await openServiceOnChain({
    nodeUrl: chainUrl,
    chainUrl,
    environment: { NONCE_ACCOUNTS_MAX: '2' },
    constants: { draftLifetimeMs: 4_000 },
  });
  const creators = await Promise.all([1, 2, 3].map(() => openCreator(service)));
  const [first, second, third] = creators as [Creator, Creator, Creator];
  const inputs = await Promise.all([first, second, third].map((creator) => creator.tokenInput()));
  const [draft] = await Promise.all([first.draft(inputs[0]), second.draft(inputs[1])]);
  const refused = await createUnsigned(third, inputs[2]);
  expect({ status: refused.status, code: refused.body.code }).toEqual({
    status: 503,
    code: 'DRAFTS_EXHAUSTED',
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

  const lent = await latest(service, 'NonceLeased', draft);
  const { status } = await eventually('a draft is possible again', async () => {
    const answer = await createUnsigned(third, inputs[2]);
    return answer.status === 200 && answer;
  });
  expect(status).toBe(200);
  const events = await service.events();
  const ofAccount = events.filter(({ stream }) => stream === `nonce-${lent?.account}`);
  expect(ofAccount.slice(0, 3).map(({ type }) => type)).toEqual([
    'NonceAccountOpened',
    'NonceLeased',
    'NonceReturned',
  ]);
  expect(await nonceValueOnChain(chainUrl, String(lent?.account))).toBe(lent?.value);
  expect(events.some(({ type }) => type === 'NonceRenewed')).toBe(false);
  const answer = await first.call('POST', '/tokens/submit', {
    json: { transactionId: draft.transactionId, signedTransaction: first.sign(draft) },
  });
  expect(answer).toMatchObject({ status: 410, body: { code: 'TRANSACTION_EXPIRED' } });
  await allAtRest(service.url);
});

test.concurrent('an account whose opening could not be recorded is recorded later: none is left on the chain unknown', async () => {
  let failures = 3;
  const service = await openServiceOnChain({
    nodeUrl: chainUrl,
    chainUrl,
    environment: { NONCE_ACCOUNTS_MIN: '4', NONCE_ACCOUNTS_MAX: '4' },
    decorateStore: (store) => ({
      ...store,
      async append(stream, expected, events) {
        const isTheFirst = events.some(({ type, data }) => type === 'NonceAccountOpened' && data.index === 0);
        if (isTheFirst && failures-- > 0) throw new Error('the store is away');
        return store.append(stream, expected, events);
      },
    }),
  });
  await eventually('all four are known', async () => {
    const { submissions } = await readiness(service.url);
    return submissions.nonceAccounts === 4;
  });
  const opened = (await service.events()).filter(({ type }) => type === 'NonceAccountOpened');
  expect(opened.map(({ data }) => data.index).sort()).toEqual([0, 1, 2, 3]);
});
