/** Number of calls to the chain node, also when the node fails now and then. */
import { beforeAll, expect, test } from 'vitest';
import { type ChainProxy, openChainProxy, type RpcCall } from '../support/chain-proxy.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import {
  allAtRest,
  openServiceOnChain,
  openTestChain,
  type ServiceOnChain,
} from '../support/service-on-chain.ts';

/** From create-unsigned until everything about it is final. */
const CALLS_A_TOKEN = 30;
const TOKENS = 8;

let proxy: ChainProxy;
let service: ServiceOnChain;
let creator: Creator;

beforeAll(async () => {
  const chain = await openTestChain();
  proxy = await openChainProxy(chain.url);
  service = await openServiceOnChain({ nodeUrl: proxy.url, chainUrl: chain.url });
  creator = await openCreator(service, { sol: 20 });
});

test('a token costs the node few calls, from its draft until it is final', async () => {
  const input = await creator.tokenInput();
  const before = proxy.asked.length;
  await creator.createToken(input);
  await eventuallyFinal();
  const calls = proxy.asked.slice(before);
  expect(calls.length, methodsOf(calls)).toBeLessThanOrEqual(CALLS_A_TOKEN);
});

test.each([100, 10])('no call of a client fails while every read in %i does', async (each) => {
  let reads = 0;
  const failing = proxy.treat(({ method }) => {
    if (method === 'sendTransaction') return undefined;
    reads += 1;
    if (reads % each !== 0) return undefined;
    return FAILURES[(reads / each) % FAILURES.length];
  });
  // A call that is not answered with success rejects.
  for (let tokens = 0; tokens < TOKENS; tokens++) await creator.createToken();
  failing();
  await allAtRest(service.url);
});

const FAILURES = [
  { kind: 'cut' },
  { kind: 'http', status: 503, body: '<html>' },
  { kind: 'error', code: -32_603, message: 'Internal error' },
  { kind: 'http', status: 429, body: 'slow down' },
  { kind: 'cut-short' },
] as const;

/** Asks nothing that asks the node. */
async function eventuallyFinal(): Promise<void> {
  await expect
    .poll(
      async () => {
        const types = (await service.events()).map(({ type }) => type);
        return [types.includes('SubmissionFinalized'), types.includes('NonceRenewed')];
      },
      { timeout: 20_000, interval: 200 },
    )
    .toEqual([true, true]);
}

function methodsOf(calls: readonly RpcCall[]): string {
  return calls.map(({ method }) => method).join(' ');
}
