// A second draft for a wallet that is refused leaves the first as it was: open, and good to be submitted.
import { beforeAll, expect, test } from 'vitest';
import { openChainProxy, type Treatment } from '../support/chain-proxy.ts';
import { type Creator, type Draft, openCreator, type TokenInput } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import {
  allAtRest,
  openServiceOnChain,
  openTestChain,
  readiness,
  type ServiceOnChain,
} from '../support/service-on-chain.ts';
import { submission, transactionStatus } from '../support/settling.ts';

let chainUrl: string;

beforeAll(async () => {
  chainUrl = (await openTestChain()).url;
});

/** In the order in which they are first made. The fee payer's balance is read by the same call as the creator's. */
const CALLS_OF_A_DRAFT = [
  'getMinimumBalanceForRentExemption',
  'getRecentPrioritizationFees',
  'getBalance',
  'simulateTransaction',
  'getMultipleAccounts',
];

function create(creator: Creator, json: TokenInput) {
  return creator.call<Draft & { readonly code?: string }>('POST', '/tokens/create-unsigned', { json });
}

/** The types of the events that callers caused. */
async function causedByCallers(service: ServiceOnChain): Promise<readonly string[]> {
  const events = await service.events();
  return events
    .filter(({ metadata }) => !String(metadata.actor).startsWith('service:'))
    .map(({ type }) => type);
}

async function openAccounts(service: ServiceOnChain, count: number): Promise<void> {
  await eventually('the nonce accounts are open', async () => {
    const { submissions } = await readiness(service.url);
    return submissions.nonceAccounts === count;
  });
}

async function expectStillGood(creator: Creator, draft: Draft): Promise<void> {
  expect((await transactionStatus(creator, draft)).status).toBe('awaiting_signature');
  expect(await submission(creator, draft)).toMatchObject({ status: 200 });
}

test('where there is no nonce account left for a second draft, the first is still signed and submitted', async () => {
  const service = await openServiceOnChain({
    nodeUrl: chainUrl,
    chainUrl,
    environment: { NONCE_ACCOUNTS_MIN: '1', NONCE_ACCOUNTS_MAX: '1' },
  });
  await openAccounts(service, 1);
  const creator = await openCreator(service);
  const input = await creator.tokenInput();
  const { body: draft } = await create(creator, input);
  const before = await causedByCallers(service);
  expect(await create(creator, input)).toMatchObject({ status: 503, body: { code: 'DRAFTS_EXHAUSTED' } });
  expect(await causedByCallers(service)).toEqual(before);
  await expectStillGood(creator, draft);
  await allAtRest(service.url);
});

test.each<[string, Treatment]>([
  [
    'is too busy',
    {
      kind: 'http',
      status: 429,
      body: '{"jsonrpc":"2.0","error":{"code":429,"message":"Too many requests"}}',
    },
  ],
  ['hangs up', { kind: 'cut' }],
])('where the node %s at any one of the calls that a second draft needs, the first is still submitted', async (_how, trouble) => {
  const proxy = await openChainProxy(chainUrl);
  const service = await openServiceOnChain({
    nodeUrl: proxy.url,
    chainUrl,
    environment: { NONCE_ACCOUNTS_MIN: '2', NONCE_ACCOUNTS_MAX: '2' },
  });
  await openAccounts(service, 2);
  const creator = await openCreator(service);
  const input = await creator.tokenInput();
  const { body: draft } = await create(creator, input);
  const before = await causedByCallers(service);

  for (const method of CALLS_OF_A_DRAFT) {
    let isAsked = false;
    const undo = proxy.treat((call) => {
      if (call.method !== method) return undefined;
      isAsked = true;
      return trouble;
    });
    const { status, body } = await create(creator, input);
    undo();
    expect([method, isAsked, status, body.code]).toEqual([method, true, 503, 'CHAIN_UNAVAILABLE']);
    expect((await transactionStatus(creator, draft)).status).toBe('awaiting_signature');
  }
  // Only the last call comes after the lease, which is given back at once.
  expect((await causedByCallers(service)).slice(before.length)).toEqual(['NonceLeased', 'NonceReturned']);
  await expectStillGood(creator, draft);
  await allAtRest(service.url);
});
