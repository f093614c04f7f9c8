// The engine's till driver and rounds of payments, by the real token programs, on a chain that loses, delays, doubles,
// forks and lies, with crashes at every call: everybody is paid once, whatever happens, and every run ends. The faults tier
// runs a thousand seeds.
import { expect, test } from 'vitest';
import { protocolSeeds, slicesOf } from '../../support/faulty-chain/seeds.ts';
import { wrongRuns } from '../../support/faulty-chain/wrong-runs.ts';

const SEEDS = 6;
const SEEDS_PUT_BACK = 2;

test.each(
  slicesOf(protocolSeeds(SEEDS), 20).map((seeds) => [seeds[0], seeds] as const),
)('everybody is paid once, and every run ends, from seed %d on', async (_first, seeds) => {
  // Every third is driven by two engines on one log.
  expect(await wrongRuns(seeds, (seed) => ({ engines: seed % 3 === 0 ? 2 : 1 }))).toEqual([]);
});

test('nobody is paid again by an engine whose log was put back from an older copy', async () => {
  expect(await wrongRuns(protocolSeeds(SEEDS_PUT_BACK), () => ({ putBack: true }))).toEqual([]);
});
