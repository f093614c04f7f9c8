// Seeds of the whole engine whose guards are drawn too: floor, announced time, caps on costs, weights, a second node that may lie,
// halts by operators, and a token that is hidden or switched off meanwhile.
// LEVY_PROTOCOL_SEEDS=1000 runs more, LEVY_PROTOCOL_SEED=<seed> one of them.
import { expect, test } from 'vitest';
import { runEngine } from '../../support/faulty-chain/engine-run.ts';
import { protocolSeeds, slicesOf } from '../../support/faulty-chain/seeds.ts';
import { wrongRuns } from '../../support/faulty-chain/wrong-runs.ts';

const SEEDS = 200;

test.each(
  slicesOf(protocolSeeds(SEEDS), 10).map((seeds) => [seeds[0], seeds] as const),
)('everybody is paid once, and every run closes, whatever guards it, from seed %d on', async (_first, seeds) => {
  const optionsOf = (seed: number) => ({ drawsGuards: true, engines: 1 + (seed % 2) });
  expect(await wrongRuns(seeds, optionsOf)).toEqual([]);
});

test.each(
  slicesOf(
    protocolSeeds(SEEDS).filter((_seed, index) => index % 5 === 0),
    10,
  ).map((seeds) => [seeds[0], seeds] as const),
)('nobody is paid again by an engine whose log was put back, whatever guards it, from seed %d on', async (_first, seeds) => {
  const optionsOf = (seed: number) => ({ drawsGuards: true, putBack: true, engines: 1 + (seed % 2) });
  expect(await wrongRuns(seeds, optionsOf)).toEqual([]);
});

/** Reasons for which only a guard makes a run wait or be skipped. */
const GUARDS = [
  'paused: Operators have halted the distribution of all tokens.',
  'paused: The creator has disabled the distribution.',
  'paused: An operator has hidden the token.',
  'scheduled: Nothing is paid before',
  'distributor-unfunded',
  'halted',
  'not-worth-its-costs',
  'unconfirmed: The second node does not respond (the chain node does not show the mint',
  'unconfirmed: The second node does not respond (the second node is away)',
  'unconfirmed: The second node does not show the transaction',
];

test('the seeds meet every guard', async () => {
  const met = new Set<string>();
  for (let seed = 0; seed < 40; seed += 1) {
    const { waitedFor, distribution } = await runEngine(seed, { drawsGuards: true });
    for (const wait of waitedFor) met.add(wait);
    for (const event of distribution) if (event.type === 'RunSkipped') met.add(event.data.reason);
  }
  const isMet = (guard: string) => [...met].some((each) => each.startsWith(guard));
  expect(GUARDS.filter((guard) => !isMet(guard))).toEqual([]);
}, 600_000);
