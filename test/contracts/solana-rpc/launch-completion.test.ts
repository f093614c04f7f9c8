// Launches on the local chain, whose finality lags: completed by the first final price at the target, once.
import { Connection } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { advanceEpoch } from '../../../packages/local-chain/test/advance-epoch.ts';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { createKeyPair } from '../../../src/chain/keys.ts';
import { createPoolWatcher } from '../../../src/drafts/observers/pool-watcher.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { systemClock } from '../../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { launches } from '../../../src/projections/launches.ts';
import { streams } from '../../../src/streams/index.ts';
import { LaunchStarted, launch } from '../../../src/streams/launch.ts';
import { folderForTheFile } from '../../support/after-the-file.ts';
import { causeOf } from '../../support/counter.ts';
import { openForkingChain } from '../../support/forking-chain.ts';
import { launchSubject, startedLaunch } from '../../support/launch-examples.ts';
import { openProjecting, untilAllLive } from '../../support/projecting.ts';
import { setPrice, venueStandIn } from '../../support/venue-stand-in.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { recorded } from '../../unit/chain/venue/recorded-accounts.ts';

/** Milliseconds of a slot, so many that only the test makes blocks. */
const STANDING_STILL = 3_600_000;
const FINALITY_DEPTH = 32;
const TARGET = example.terms.sqrtTargetPrice;
const START = example.terms.sqrtMinPrice;

const [fleeting, forked] = [11, 12].map((number) => ({
  tokenId: randomId(),
  pool: createKeyPair(new Uint8Array(32).fill(number)).address,
})) as [Launched, Launched];

interface Launched {
  readonly tokenId: string;
  readonly pool: string;
}

/** A watcher over the log in the folder, as a process has it. */
async function startWatching(folder: string, chainUrl: string) {
  const projecting = openProjecting({ isAwaited: true, on: folder, projections: [launches] });
  await projecting.projector.start();
  await untilAllLive(projecting);
  const executor = createExecutor(projecting.store, createEventCodec(streams), systemClock);
  const watcher = createPoolWatcher({
    executor,
    readModel: projecting.readModel,
    chain: createNodeChain({ url: chainUrl }),
    clock: systemClock,
    logger: silentLogger,
    mayRecord: () => true,
  });
  return {
    executor,
    crash: projecting.crash,
    /** Two rounds: one of them looks at final prices. */
    async look() {
      await watcher.watch();
      await watcher.watch();
    },
    figuresOf: ({ tokenId }: Launched) => watcher.figures.of(tokenId),
    async completionsOf({ tokenId }: Launched) {
      const { events } = await executor.load(launch, tokenId);
      return events.flatMap((event) => (event.type === 'LaunchCompleted' ? [event.data] : []));
    },
  };
}

async function advanceBlocks(url: string, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) await advanceEpoch(url);
}

test('a launch is completed by a final price alone, once, over crashes, and not by one that a fork dropped', async () => {
  const pools = [fleeting, forked].map(({ pool }) => ({ address: pool, account: recorded('pool-at-start') }));
  const chain = await openForkingChain({ slotMilliseconds: STANDING_STILL, ...(await venueStandIn(pools)) });
  const connection = new Connection(chain.url, 'confirmed');
  const folder = await folderForTheFile();
  const first = await startWatching(folder, chain.url);
  for (const { tokenId, pool } of [fleeting, forked]) {
    const subject = {
      ...launchSubject,
      tokenId,
      poolAddress: pool,
      sqrtMinPrice: START.toString(),
      liquidity: example.terms.liquidity.toString(),
    };
    await first.executor.execute(launch, tokenId, causeOf(), () => [
      LaunchStarted({ ...startedLaunch, launch: subject }),
    ]);
  }
  await chain.remember();

  // At the target as far as the chain has confirmed it, and then on a fork that is no more.
  await advanceBlocks(chain.url, 1);
  await setPrice(connection, forked.pool, TARGET);
  await first.look();
  expect((await first.figuresOf(forked))?.progressBasisPoints).toBe(10_000);
  expect(await first.completionsOf(forked)).toEqual([]);
  await chain.fork(STANDING_STILL);
  await advanceBlocks(chain.url, FINALITY_DEPTH + 2);
  await first.look();

  // At the target in a single block, and long below it when that block is final.
  await setPrice(connection, fleeting.pool, TARGET);
  await advanceBlocks(chain.url, 1);
  await setPrice(connection, fleeting.pool, START);
  await advanceBlocks(chain.url, 1);
  await first.look();
  expect((await first.figuresOf(fleeting))?.progressBasisPoints).toBeLessThan(10_000);
  await first.crash();

  const second = await startWatching(folder, chain.url);
  await advanceBlocks(chain.url, FINALITY_DEPTH - 3);
  await second.look();
  expect(await second.completionsOf(fleeting)).toEqual([]);
  await advanceBlocks(chain.url, 1);
  await second.look();
  expect(await second.completionsOf(fleeting)).toMatchObject([{ sqrtPrice: TARGET.toString() }]);
  await second.crash();

  const third = await startWatching(folder, chain.url);
  await third.look();
  await advanceBlocks(chain.url, 3);
  await third.look();
  expect(await third.completionsOf(fleeting)).toHaveLength(1);
  expect(await third.completionsOf(forked)).toEqual([]);
  await third.crash();
});
