// The markets as the service opens them, over a node: the pool of a recorded launch, else the desk, which funds itself.
import { Connection } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { openMarkets } from '../../../src/app/engine.ts';
import { NO_ATTEMPTS } from '../../../src/distribution/collecting/confirm-scan.ts';
import { readHolders } from '../../../src/distribution/run/steps/scan.ts';
import { ESTIMATE } from '../../../src/distribution/selling/sale-venue.ts';
import { systemClock } from '../../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { readConfiguration } from '../../../src/operations/config/configuration.ts';
import { streams } from '../../../src/streams/index.ts';
import { LaunchStarted, launch } from '../../../src/streams/launch.ts';
import { tokenIdOf } from '../../../src/views/token-access.ts';
import { causeOf } from '../../support/counter.ts';
import { linksLanded } from '../../support/distribution-examples.ts';
import { ids } from '../../support/domain-examples.ts';
import { openForkingChain } from '../../support/forking-chain.ts';
import { launchSubject, startedLaunch } from '../../support/launch-examples.ts';
import { openProjecting } from '../../support/projecting.ts';
import { courseTo, factsOf, SCAN, SUMS, stepAt } from '../../support/run-examples.ts';
import { setPrice, venueStandIn } from '../../support/venue-stand-in.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { recorded } from '../../unit/chain/venue/recorded-accounts.ts';

const { issuedLaunch, keyring, mint, otherPosition, tokenTerms } = example;
const TOKENS = 1_000_000_000_000n;

const tokenOf = (address: string) => ({
  mint: address,
  decimals: tokenTerms.decimals,
  supply: tokenTerms.supply,
  tax: { epoch: 0n, basisPoints: tokenTerms.transferFeeBasisPoints, maximumFee: 2n ** 64n - 1n },
});

const launchedAs = (tokenId: string) =>
  LaunchStarted({
    ...startedLaunch,
    creator: issuedLaunch.creator,
    launch: {
      ...launchSubject,
      tokenId,
      mintAddress: mint.address,
      poolAddress: issuedLaunch.poolAddress,
      positionMint: issuedLaunch.positionMint,
      sqrtMinPrice: issuedLaunch.sqrtMinPrice.toString(),
      sqrtMaxPrice: issuedLaunch.sqrtMaxPrice.toString(),
      liquidity: issuedLaunch.liquidity.toString(),
    },
  });

test('a token is sold into the pool of its launch once that is recorded, and any other at the desk', async () => {
  const pool = { address: issuedLaunch.poolAddress, account: recorded('pool-after-sale') };
  const node = await openForkingChain({ slotMilliseconds: 20, ...(await venueStandIn([pool])) });
  const chain = createNodeChain({ url: node.url });
  const { store } = openProjecting({ projections: [] });
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  const markets = openMarkets({
    configuration: readConfiguration({}),
    chain,
    executor,
    keyring,
    genesisHash: await chain.genesisHash(),
  });

  const atDesk = await markets.quote(tokenOf(mint.address), TOKENS, ESTIMATE);
  expect(atDesk).toMatchObject({ sale: { venue: 'desk', market: keyring.desk.address } });
  // 96.5 thousandths of a SOL for a thousandth of the supply, at 100 SOL for all of it.
  expect(atDesk).toMatchObject({ sale: { amount: TOKENS, minimum: 96_500_000n } });
  const funded = await chain.balance(keyring.desk.address);
  expect(funded).toBeGreaterThan(96_500_000n);

  const tokenId = tokenIdOf(mint.address);
  await executor.execute(launch, tokenId, causeOf(), () => [launchedAs(tokenId)]);
  const inPool = await markets.quote(tokenOf(mint.address), TOKENS, ESTIMATE);
  expect(inPool).toMatchObject({
    sale: { venue: 'meteora', market: issuedLaunch.poolAddress, amount: TOKENS },
  });

  const other = await markets.quote(tokenOf(otherPosition.address), TOKENS, ESTIMATE);
  expect(other).toMatchObject({ sale: { venue: 'desk' } });
  // There was enough: nothing more was asked for.
  expect(await chain.balance(keyring.desk.address)).toBe(funded);
});

test('a recorded launch on a chain without the program of the venue sells nothing, and keeps from the desk', async () => {
  const node = await openForkingChain({ slotMilliseconds: 20 });
  const { store } = openProjecting({ projections: [] });
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  await executor.execute(launch, tokenIdOf(mint.address), causeOf(), () => [LaunchStarted(startedLaunch)]);
  const markets = openMarkets({
    configuration: readConfiguration({}),
    chain: createNodeChain({ url: node.url }),
    executor,
    keyring,
    genesisHash: 'of a test chain',
  });
  expect(await markets.quote(tokenOf(mint.address), TOKENS, ESTIMATE)).toEqual({
    reason: 'venue-missing',
  });
});

test('on a cluster whose SOL is worth something, a token without a launch has no market', async () => {
  const node = await openForkingChain({ slotMilliseconds: 20 });
  const { store } = openProjecting({ projections: [] });
  const chain = createNodeChain({ url: node.url });
  const markets = openMarkets({
    configuration: readConfiguration({}),
    chain,
    executor: createExecutor(store, createEventCodec(streams), systemClock),
    keyring,
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  });
  expect(await markets.quote(tokenOf(mint.address), TOKENS, ESTIMATE)).toEqual({
    reason: 'no-market',
  });
  expect(await chain.balance(keyring.desk.address)).toBe(0n);
});

test('the scan of a run sees the final price of the pool, and none where the node is behind the scan', async () => {
  const { poolAddress: address, sqrtMinPrice } = issuedLaunch;
  const pool = { address, account: recorded('pool-after-sale') };
  const node = await openForkingChain({ slotMilliseconds: 20, ...(await venueStandIn([pool])) });
  const { store } = openProjecting({ projections: [] });
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  await executor.execute(launch, ids.tokenId, causeOf(), () => [launchedAs(ids.tokenId)]);
  const chain = createNodeChain({ url: node.url });
  const scannedAt = async (slot: string) => {
    const [before, behind] = SUMS.mint;
    const sums = { ...SUMS, mint: [before, { ...behind, slot }] as typeof SUMS.mint };
    const at = stepAt(courseTo(linksLanded), {
      parts: { chain, executor, onWitnessVerdict() {} },
      memory: { scan: SCAN, attempts: { ...NO_ATTEMPTS, sums } },
    });
    return factsOf(await readHolders(at)).pool;
  };

  expect(await scannedAt('1000000')).toBeUndefined();
  expect(await scannedAt('0')).toMatchObject({ address });
  await setPrice(new Connection(node.url, 'confirmed'), address, sqrtMinPrice);
  await expect.poll(() => scannedAt('0')).toMatchObject({ address, sqrtPrice: sqrtMinPrice.toString() });
});
