// A thousand seeds of the whole engine on the faulty chain, in one or two processes, and two hundred whose log is put back.
// LEVY_PROTOCOL_SEEDS=10000 runs more, LEVY_PROTOCOL_SEED=<seed> one of them.
import { expect, test } from 'vitest';
import { protocolSeeds, slicesOf } from '../../support/faulty-chain/seeds.ts';
import { wrongRuns } from '../../support/faulty-chain/wrong-runs.ts';

const SEEDS = 1_000;

test.each(
  slicesOf(protocolSeeds(SEEDS), 10).map((seeds) => [seeds[0], seeds] as const),
)('everybody is paid once, and every run closes, from seed %d on', async (_first, seeds) => {
  expect(await wrongRuns(seeds, (seed) => ({ engines: 1 + (seed % 2) }))).toEqual([]);
});

test.each(
  slicesOf(protocolSeeds(SEEDS / 5), 10).map((seeds) => [seeds[0], seeds] as const),
)('nobody is paid again by an engine whose log was put back from an older copy, from seed %d on', async (_first, seeds) => {
  expect(await wrongRuns(seeds, (seed) => ({ putBack: true, engines: 1 + (seed % 2) }))).toEqual([]);
});
