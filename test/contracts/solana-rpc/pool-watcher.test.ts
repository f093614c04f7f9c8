import { describe, expect, test } from 'vitest';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { createKeyPair } from '../../../src/chain/keys.ts';
import { createPoolWatcher } from '../../../src/drafts/observers/pool-watcher.ts';
import type { ChainAccount, Commitment } from '../../../src/kernel/ports/chain.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { launches } from '../../../src/projections/launches.ts';
import { streams } from '../../../src/streams/index.ts';
import { LaunchStarted, launch } from '../../../src/streams/launch.ts';
import { openChainProxy, type RpcCall } from '../../support/chain-proxy.ts';
import { causeOf } from '../../support/counter.ts';
import { launchSubject, startedLaunch } from '../../support/launch-examples.ts';
import { openProjecting, untilAllLive } from '../../support/projecting.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { recorded } from '../../unit/chain/venue/recorded-accounts.ts';

const NOBODY_LISTENS = 'http://127.0.0.1:9';

function commitmentOf({ params }: RpcCall): Commitment {
  return (params[1] as { commitment: Commitment }).commitment;
}

function tokenIdOf(index: number): string {
  return deriveId('token', String(index));
}

function poolOf(index: number): string {
  const seed = new Uint8Array(32);
  new DataView(seed.buffer).setUint32(0, index + 1);
  return createKeyPair(seed).address;
}

/** Account in the form in which a node returns it. */
function told(account: ChainAccount | undefined): unknown {
  return (
    account && {
      data: [Buffer.from(account.data).toString('base64'), 'base64'],
      executable: false,
      lamports: Number(account.lamports),
      owner: account.owner,
      rentEpoch: 0,
    }
  );
}

/** A watcher of so many launches, whose node answers what the test says of each pool at each commitment. */
async function watching(count: number) {
  const projecting = openProjecting({ isAwaited: true, projections: [launches] });
  await projecting.projector.start();
  await untilAllLive(projecting);
  let time = Date.parse('2026-05-04T10:00:00.000Z');
  const clock = { now: () => new Date(time) };
  const executor = createExecutor(projecting.store, createEventCodec(streams), clock);
  for (let index = 0; index < count; index += 1) {
    const subject = {
      ...launchSubject,
      tokenId: tokenIdOf(index),
      poolAddress: poolOf(index),
      sqrtMinPrice: example.terms.sqrtMinPrice.toString(),
      liquidity: example.terms.liquidity.toString(),
    };
    await executor.execute(launch, subject.tokenId, causeOf(), () => [
      LaunchStarted({ ...startedLaunch, launch: subject }),
    ]);
  }
  const proxy = await openChainProxy(NOBODY_LISTENS);
  const pools = new Map<string, { confirmed?: ChainAccount; finalized?: ChainAccount }>();
  const calls: RpcCall[] = [];
  let isDown = false;
  let down: Commitment | undefined;
  proxy.treat((call) => {
    calls.push(call);
    if (isDown) return { kind: 'http', status: 503, body: 'down' };
    const [addresses] = call.params as [string[]];
    const commitment = commitmentOf(call);
    if (commitment === down) return { kind: 'http', status: 503, body: 'down' };
    const value = addresses.map((address) => told(pools.get(address)?.[commitment]) ?? null);
    return { kind: 'result', result: { context: { slot: 7 }, value } };
  });
  const reports: string[] = [];
  const watcher = createPoolWatcher({
    executor,
    readModel: projecting.readModel,
    chain: createNodeChain({ url: proxy.url }),
    clock,
    logger: loggerTo((message) => void reports.push(message)),
    mayRecord: () => true,
  });
  return {
    watcher,
    pools,
    calls,
    reports,
    passMilliseconds: (milliseconds: number) => {
      time += milliseconds;
    },
    goDown: () => {
      isDown = true;
    },
    /** From now on the node answers nothing at this commitment. */
    failAt: (commitment: Commitment | undefined) => {
      down = commitment;
    },
    completed: async (index: number) => {
      const { events } = await executor.load(launch, tokenIdOf(index));
      return events.filter(({ type }) => type === 'LaunchCompleted');
    },
  };
}

const start = recorded('pool-at-start');
const afterSale = recorded('pool-after-sale');
/** At the price of the target. */
const atTarget: ChainAccount = (() => {
  const data = Uint8Array.from(start.data);
  const price = example.terms.sqrtTargetPrice;
  new DataView(data.buffer).setBigUint64(456, price & (2n ** 64n - 1n), true);
  new DataView(data.buffer).setBigUint64(464, price >> 64n, true);
  return { ...start, data };
})();

describe('the watcher of pools', () => {
  test('looks at a hundred pools a call, and leaves none out', async () => {
    const { watcher, pools, calls } = await watching(230);
    for (let index = 0; index < 230; index += 1) {
      pools.set(poolOf(index), { confirmed: index % 2 === 0 ? start : afterSale });
    }
    expect(await watcher.watch()).toEqual({ active: 230 });
    for (const commitment of ['confirmed', 'finalized']) {
      const looks = calls.filter((call) => commitmentOf(call) === commitment);
      expect(looks.map(({ params }) => (params[0] as string[]).length)).toEqual([100, 100, 30]);
    }
    // Final prices are due in every second round.
    await watcher.watch();
    expect(calls.map(commitmentOf).slice(6)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    await watcher.watch();
    expect(calls).toHaveLength(15);
    const [first, second] = [
      await watcher.figures.of(tokenIdOf(0)),
      await watcher.figures.of(tokenIdOf(229)),
    ];
    expect(first?.solCollected).toBe(0n);
    expect(second?.solCollected).toBe(19_800_000_000n);
  });

  test('asks the chain nothing while there is no active launch', async () => {
    const { watcher, calls } = await watching(0);
    expect(await watcher.watch()).toEqual({ active: 0 });
    expect(calls).toEqual([]);
  });

  test('tells once of a pool that cannot be read, and goes on with the others', async () => {
    const { watcher, pools, reports } = await watching(2);
    pools.set(poolOf(0), { confirmed: { ...start, data: start.data.subarray(0, 100) } });
    pools.set(poolOf(1), { confirmed: start });
    await watcher.watch();
    await watcher.watch();
    expect(reports).toEqual(['pool of a launch cannot be read']);
    expect(await watcher.figures.of(tokenIdOf(1))).toBeDefined();
  });

  test('latches the target once, at the first final price that reaches it', async () => {
    const { watcher, pools, completed, calls } = await watching(1);
    pools.set(poolOf(0), { confirmed: atTarget, finalized: afterSale });
    await watcher.watch();
    expect(await completed(0)).toEqual([]);
    expect((await watcher.figures.of(tokenIdOf(0)))?.progressBasisPoints).toBe(10_000);

    pools.set(poolOf(0), { confirmed: atTarget, finalized: atTarget });
    await watcher.watch();
    await watcher.watch();
    expect(await completed(0)).toMatchObject([
      {
        data: {
          tokenId: tokenIdOf(0),
          marketCap: '400000000000',
          sqrtPrice: String(example.terms.sqrtTargetPrice),
        },
      },
    ]);
    // From then on it is left alone, whatever the price does.
    pools.set(poolOf(0), { confirmed: start, finalized: start });
    const before = calls.length;
    expect(await watcher.watch()).toEqual({ active: 0 });
    expect(calls).toHaveLength(before);
    expect(await completed(0)).toHaveLength(1);
  });

  test('completes a launch by its final price, whatever the latest price is', async () => {
    const { watcher, pools, completed } = await watching(2);
    // The first fell again before its price was final; the second never was at the target when it was looked at.
    pools.set(poolOf(0), { confirmed: atTarget, finalized: start });
    pools.set(poolOf(1), { confirmed: start, finalized: start });
    await watcher.watch();
    for (const index of [0, 1]) pools.set(poolOf(index), { confirmed: start, finalized: atTarget });
    await watcher.watch();
    await watcher.watch();
    for (const index of [0, 1]) expect(await completed(index)).toHaveLength(1);
  });

  test('looks at final prices again in the next round when the node did not tell them', async () => {
    const { watcher, pools, completed, failAt } = await watching(1);
    pools.set(poolOf(0), { confirmed: start, finalized: atTarget });
    failAt('finalized');
    await expect(watcher.watch()).rejects.toThrow(/503/);
    // The latest figures are there all the same.
    expect(await watcher.figures.of(tokenIdOf(0))).toBeDefined();
    failAt(undefined);
    await watcher.watch();
    expect(await completed(0)).toHaveLength(1);
  });

  test('shows no figures that are older than five seconds, and at once none while the chain does not answer', async () => {
    const { watcher, pools, passMilliseconds, goDown } = await watching(1);
    pools.set(poolOf(0), { confirmed: start });
    await watcher.watch();
    goDown();
    passMilliseconds(5_000);
    await expect(watcher.watch()).rejects.toThrow(/503/);
    expect(await watcher.figures.of(tokenIdOf(0))).toBeDefined();
    passMilliseconds(1);
    expect(await watcher.figures.of(tokenIdOf(0))).toBeUndefined();
  });

  test('lets whoever asks for a launch that has just begun wait for the round that is to come', async () => {
    const { watcher, pools } = await watching(1);
    pools.set(poolOf(0), { confirmed: start });
    const asked = watcher.figures.of(tokenIdOf(0));
    await watcher.watch();
    expect((await asked)?.price).toBe('25');
  });
});
