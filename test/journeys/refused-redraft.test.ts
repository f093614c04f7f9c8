// A second draft for a wallet that is refused leaves the first as it was: open, and good to be submitted.
import { beforeAll, expect, test } from 'vitest';
import type { RpcCall, Treatment } from '../support/chain-proxy.ts';
import { type Creator, type Draft, openCreator, type TokenInput } from '../support/creator.ts';
import { onNonces, tellOfSkippedNonces } from '../support/draft-kind.ts';
import { eventually } from '../support/eventually.ts';
import { openServiceBehindProxy } from '../support/service-behind-proxy.ts';
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

/** In the order in which they are first made. Rents are known from the first draft, for a minute. */
const CALLS_OF_A_DRAFT: readonly (readonly [string, (call: RpcCall, creator: string) => boolean])[] = [
  ['the price', ({ method }) => method === 'getRecentPrioritizationFees'],
  ['the balances', (call, creator) => addressesIn(call).includes(creator)],
  ['the simulation', ({ method }) => method === 'simulateTransaction'],
  onNonces
    ? [
        'the nonce account',
        (call, creator) => addressesIn(call).length > 0 && !addressesIn(call).includes(creator),
      ]
    : ['the blockhash', ({ method }) => method === 'getLatestBlockhash'],
];

function addressesIn({ method, params }: RpcCall): readonly unknown[] {
  return method === 'getMultipleAccounts' && Array.isArray(params[0]) ? params[0] : [];
}

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
  if (!onNonces) return;
  await eventually('the nonce accounts are open', async () => {
    const { submissions } = await readiness(service.url);
    return submissions.nonceAccounts === count;
  });
}

async function expectStillGood(creator: Creator, draft: Draft): Promise<void> {
  expect((await transactionStatus(creator, draft)).status).toBe('awaiting_signature');
  expect(await submission(creator, draft)).toMatchObject({ status: 200 });
}

tellOfSkippedNonces(1);

test.skipIf(!onNonces)(
  'where there is no nonce account left for a second draft, the first is still signed and submitted',
  async () => {
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
  },
);

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
  const { proxy, service } = await openServiceBehindProxy({
    chainUrl,
    environment: { NONCE_ACCOUNTS_MIN: '2', NONCE_ACCOUNTS_MAX: '2' },
  });
  await openAccounts(service, 2);
  const creator = await openCreator(service);
  const input = await creator.tokenInput();
  const { body: draft } = await create(creator, input);
  const before = await causedByCallers(service);

  for (const [name, isIt] of CALLS_OF_A_DRAFT) {
    let isAsked = false;
    const undo = proxy.treat((call) => {
      if (!isIt(call, creator.address)) return undefined;
      isAsked = true;
      return trouble;
    });
    const { status, body } = await create(creator, input);
    undo();
    expect([name, isAsked, status, body.code]).toEqual([name, true, 503, 'CHAIN_UNAVAILABLE']);
    expect((await transactionStatus(creator, draft)).status).toBe('awaiting_signature');
  }
  // Only the last call comes after the lease, which is given back at once.
  const caused = (await causedByCallers(service)).slice(before.length);
  expect(caused).toEqual(onNonces ? ['NonceLeased', 'NonceReturned'] : []);
  await expectStillGood(creator, draft);
  await allAtRest(service.url);
});
