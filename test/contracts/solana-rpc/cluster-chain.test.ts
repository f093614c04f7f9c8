// Several nodes of one chain: reads fail over and never go back in time, sends go to all, strangers are refused.
import { type LocalChain, openLocalChain } from 'levy-local-chain';
import { SYSTEM_PROGRAM } from 'levy-solana-wire';
import { beforeAll, expect, test } from 'vitest';
import { solanaRpc } from '../../../src/adapters/solana-rpc/index.ts';
import type { ChainNodeStatus } from '../../../src/kernel/ports/chain-node-meter.ts';
import { afterTheFile, folderForTheFile } from '../../support/after-the-file.ts';
import {
  freezeAnswers,
  ignoreLeastSlot,
  nameNoSlot,
  openChainProxy,
  type Rule,
  sentBy,
} from '../../support/chain-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { chainContract } from '../chain.contract.ts';
import { lyingNodesContract } from '../lying-nodes.contract.ts';

chainContract('a chain of two nodes, one of which often fails', async () => {
  const local = await sharedChain();
  const [often, node] = await Promise.all([openChainProxy(local.url), openChainProxy(local.url)]);
  let calls = 0;
  often.treat(({ method }) => {
    calls += 1;
    return method !== 'requestAirdrop' && method !== 'getBalance' && calls % 4 === 0
      ? { kind: 'cut' }
      : undefined;
  });
  const unreachable = 'http://127.0.0.1:9,http://127.0.0.1:19';
  return {
    chain: await solanaRpc.chain.open({ url: `${often.url},${node.url}` }),
    unreachable: await solanaRpc.chain.open({ url: unreachable }),
    dispose: () => Promise.resolve(),
  };
});

lyingNodesContract('a cluster whose nodes all lie', async () => {
  const { url } = await sharedChain();
  const proxies = await Promise.all([openChainProxy(url), openChainProxy(url)]);
  return {
    treat(rule) {
      const lie = rule(url);
      const ends = proxies.map((proxy) => proxy.treat(lie));
      return () => {
        for (const end of ends) end();
      };
    },
    chain: await solanaRpc.chain.open({ url: proxies.map((proxy) => proxy.url).join(',') }),
    honest: await solanaRpc.chain.open({ url }),
    dispose: () => Promise.resolve(),
  };
});

let local: LocalChain;
let opening: Promise<LocalChain> | undefined;

beforeAll(async () => {
  local = await sharedChain();
});

async function openChain(): Promise<LocalChain> {
  const chain = await openLocalChain({ dataDir: await folderForTheFile(), port: 0, slotMilliseconds: 20 });
  afterTheFile(() => chain.close());
  return chain;
}

/** One for all suites of this file. */
function sharedChain(): Promise<LocalChain> {
  opening ??= openChain();
  return opening;
}

async function twoNodes(first: Rule = () => undefined, second: Rule = () => undefined) {
  const proxies = await Promise.all([openChainProxy(local.url), openChainProxy(local.url)]);
  proxies[0].treat(first);
  proxies[1].treat(second);
  let statuses: () => readonly ChainNodeStatus[] = () => [];
  const called: string[] = [];
  const chain = await solanaRpc.chain.open({
    url: proxies.map(({ url }) => url).join(','),
    meter: {
      called: (host, method, outcome) => void called.push(`${host} ${method} ${outcome}`),
      watch(nodes) {
        statuses = nodes;
      },
    },
  });
  return { chain, proxies, states: () => statuses().map(({ state }) => state), called };
}

const DOWN: Rule = () => ({ kind: 'http', status: 503, body: 'down' });

test('answers as long as one node does, and says which does not', async () => {
  const { chain, states, called, proxies } = await twoNodes(DOWN);
  for (let reads = 0; reads < 5; reads++)
    expect((await chain.tip('confirmed')).slot).toBeGreaterThanOrEqual(0n);
  expect(states()).toEqual(['failing', 'well']);
  expect(called).toContain(`${new URL(proxies[0].url).host} tip unavailable`);
  // Left alone once it has failed three times.
  expect(proxies[0].asked.length).toBeLessThanOrEqual(4);
});

test('leaves the first node as soon as it hangs', async () => {
  const { chain, proxies } = await twoNodes(({ method }) =>
    method === 'getEpochInfo' ? new Promise(() => undefined) : undefined,
  );
  await chain.genesisHash();
  expect((await chain.tip('confirmed')).slot).toBeGreaterThanOrEqual(0n);
  await chain.tip('confirmed');
  expect(proxies[0].asked.filter(({ method }) => method === 'getEpochInfo')).toHaveLength(1);
});

test('hands what is sent to all nodes, once', async () => {
  const { chain, proxies } = await twoNodes(DOWN_FOR_SENDS);
  await chain.genesisHash();
  await chain.send(new Uint8Array([1, 2, 3]));
  expect(proxies.map(({ asked }) => asked.filter((call) => sentBy(call) !== undefined).length)).toEqual([
    1, 1,
  ]);
});

const DOWN_FOR_SENDS: Rule = (call) =>
  sentBy(call) === undefined ? undefined : { kind: 'http', status: 503, body: 'down' };

test('never asks a node that turns out to be of another chain, nor sends it anything', async () => {
  const other = await openChain();
  const late = await openChainProxy(other.url);
  const isBack = late.treat(DOWN);
  let statuses: () => readonly ChainNodeStatus[] = () => [];
  const chain = await solanaRpc.chain.open({
    url: `${late.url},${local.url}`,
    meter: {
      called: () => undefined,
      watch(nodes) {
        statuses = nodes;
      },
    },
  });
  const genesis = await chain.genesisHash();
  isBack();
  expect(await chain.genesisHash()).toBe(genesis);
  expect(statuses().map(({ state }) => state)).toEqual(['foreign', 'well']);
  await chain.tip('confirmed');
  await chain.send(new Uint8Array([1, 2, 3]));
  expect(new Set(late.asked.map(({ method }) => method))).toEqual(new Set(['getGenesisHash']));
});

test('does not go back in time when the node that takes over is behind', async () => {
  let isDown = false;
  let reached = 0;
  const behind: Rule = ({ params }) => {
    const least = params.flatMap((each) => (each as { minContextSlot?: number }).minContextSlot ?? [])[0];
    return least !== undefined && least > reached
      ? { kind: 'error', code: -32_016, message: 'Minimum context slot has not been reached' }
      : undefined;
  };
  const { chain, proxies } = await twoNodes((call) => (isDown ? DOWN(call) : undefined), behind);
  const { slot } = await chain.accountsAt([SYSTEM_PROGRAM], 'confirmed');
  isDown = true;
  reached = Number(slot) - 1;
  const later = chain.accountsAt([SYSTEM_PROGRAM], 'confirmed');
  await expect.poll(() => proxies[1].asked.length).toBeGreaterThan(1);
  reached = Number(slot) + 1_000_000;
  expect((await later).slot).toBeGreaterThanOrEqual(slot);
});

test.each([
  ['repeats old answers', freezeAnswers, 'behind'],
  ['does not look at the slot that it is asked for, and is behind', behindBy(100), 'behind'],
  ['names no slots', nameNoSlot, 'invalid'],
])('is answered by the next node where the first one %s', async (_how, lie, outcome) => {
  const { chain, proxies, called } = await twoNodes();
  await chain.genesisHash();
  const truth = proxies[0].treat(lie(local.url));
  const { slot: before } = await chain.accountsAt([SYSTEM_PROGRAM], 'finalized', { atLeastSlot: 0n });
  const later = await eventually('the chain has gone on', async () => {
    const { slot } = await (await solanaRpc.chain.open({ url: local.url })).tip('finalized');
    return slot > before + 50n ? slot : undefined;
  });
  const shown = await chain.accountsAt([SYSTEM_PROGRAM], 'finalized', { atLeastSlot: later });
  expect(shown.slot).toBeGreaterThanOrEqual(later);
  expect(called).toContain(`${new URL(proxies[0].url).host} accountsAt ${outcome}`);
  truth();
});

/** A node that answers as one does that is so many slots behind, whatever least slot it is asked for. */
function behindBy(slots: number): () => Rule {
  return () => (call) => {
    if (call.method !== 'getMultipleAccounts') return ignoreLeastSlot()(call);
    return {
      kind: 'retold',
      retell: (result) => {
        const { context, ...rest } = Object(result);
        return context === undefined
          ? { context: { slot: 0 }, value: [null] }
          : { ...rest, context: { ...context, slot: Math.max(0, context.slot - slots) } };
      },
    };
  };
}

test('asks another node for what is to be looked at elsewhere', async () => {
  const { chain, proxies } = await twoNodes();
  const asked = () =>
    proxies.map((proxy) => proxy.asked.filter(({ method }) => method === 'getMultipleAccounts').length);
  const look = (elsewhere: boolean) => chain.accountsAt([SYSTEM_PROGRAM], 'confirmed', { elsewhere });
  await look(false);
  await look(false);
  expect(asked()).toEqual([2, 0]);
  for (let looks = 0; looks < 4; looks++) await look(true);
  expect(asked()).toEqual([4, 2]);
  await look(false);
  expect(asked()).toEqual([5, 2]);
});

test('is not sent back by a page of a scan that is of before its first one', async () => {
  const { chain, proxies } = await twoNodes();
  let pages = 0;
  const slots = [500, 499, 498, 501];
  for (const proxy of proxies)
    proxy.treat(({ method }) => {
      if (method !== 'getProgramAccountsV2') return undefined;
      const slot = slots[pages];
      pages += 1;
      const paginationKey = pages === 1 ? 'key' : null;
      return { kind: 'result', result: { context: { slot }, value: { accounts: [], paginationKey } } };
    });
  const first = await chain.tokenAccounts(SYSTEM_PROGRAM);
  const second = await chain.tokenAccounts(SYSTEM_PROGRAM, { after: first.next ?? '' });
  expect([first.slot, second.slot, pages]).toEqual([500n, 501n, 4]);
});

test('measures how long slots are from samples, if the node has them', async () => {
  const { chain } = await twoNodes();
  expect(await chain.slotMilliseconds()).toBe(20);
  const none: Rule = ({ method }) =>
    method === 'getRecentPerformanceSamples'
      ? { kind: 'error', code: -32_601, message: 'Method not found' }
      : undefined;
  const { chain: other } = await twoNodes(none, none);
  expect(await other.slotMilliseconds()).toBeUndefined();
});
