// A service that starts while its only chain node is away: it serves lists, is not ready, and checks the chain before it uses it.
import { beforeAll, expect, test } from 'vitest';
import { type ChainProxy, openChainProxy } from '../support/chain-proxy.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { openServiceOnChain, openTestChain, type ServiceOnChain } from '../support/service-on-chain.ts';

let proxy: ChainProxy;
let chainUrl: string;
let folder: string | undefined;

const open = (): Promise<ServiceOnChain> =>
  openServiceOnChain({ nodeUrl: proxy.url, chainUrl, ...(folder === undefined ? {} : { folder }) });

async function chainCheck({ url }: ServiceOnChain) {
  const response = await fetch(`${url}/ready`);
  const { checks } = (await response.json()) as {
    readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string }[];
  };
  return { status: response.status, ...checks.find(({ name }) => name === 'chain') };
}

beforeAll(async () => {
  const chain = await openTestChain();
  chainUrl = chain.url;
  proxy = await openChainProxy(chain.url);
  const service = await open();
  folder = service.folder;
  await (await openCreator(service)).draft();
  await service.close();
});

const methodsSince = (count: number) => new Set(proxy.asked.slice(count).map(({ method }) => method));

test('it serves lists, asks the node for nothing but its chain, and works once that is the right one', async () => {
  const stop = proxy.treat(() => ({ kind: 'cut' }));
  const asked = proxy.asked.length;
  const service = await open();
  expect((await fetch(`${service.url}/tokens`)).status).toBe(200);
  expect(await chainCheck(service)).toMatchObject({ status: 503, ok: false });
  expect(methodsSince(asked)).toEqual(new Set(['getGenesisHash']));
  stop();
  await eventually('it is ready', async () => (await chainCheck(service)).status === 200, { seconds: 40 });
  expect((await (await openCreator(service)).draft()).transactionId).toBeDefined();
  await service.close();
});
