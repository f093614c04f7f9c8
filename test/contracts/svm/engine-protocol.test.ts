// The whole engine on the faulty chain: every run closes, everybody is paid once, and the audit finds nothing.
// LEVY_PROTOCOL_SEED=<seed> runs one seed, LEVY_PROTOCOL_SEEDS=<count> more of them.
import { describe, expect, test } from 'vitest';
import { runEngine } from '../../support/faulty-chain/engine-run.ts';
import { protocolSeeds, slicesOf } from '../../support/faulty-chain/seeds.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';
import { wrongEngineRuns } from '../../support/faulty-chain/wrong-engine-runs.ts';

const SEEDS = 200;
const SEEDS_PUT_BACK = 20;
/** Every third is driven by two engines on one log; the longer storms are those of the faults. */
const optionsOf = (seed: number) => ({ engines: seed % 3 === 0 ? 2 : 1, stormyCalls: 800 });
const STEPS = ['RunOpened', 'LinksLanded', 'DistributionHalted', 'RunSkipped', 'RunClosed'];

describe('a run on a chain without faults', () => {
  test.each([
    ['in SOL that a desk pays', 'sol', ['close']],
    // What is used up needs no revoking.
    ['in the token itself', 'token', []],
  ] as const)('%s is closed, with books that the chain bears out', async (_how, asset, closing) => {
    const { findings, halted, paidTwice, distribution, runs } = await runEngine(1, {
      weather: CALM,
      assets: [asset, asset],
    });
    expect({ findings, halted, paidTwice }).toEqual({ findings: [], halted: undefined, paidTwice: [] });
    const events = distribution.filter(({ type }) => STEPS.includes(type));
    const rest = ['split', 'open', ...closing, 'RunClosed'];
    expect(events.map(({ type, data }) => ('purpose' in data ? data.purpose : type))).toEqual([
      'RunOpened',
      'begin',
      ...rest,
      'RunOpened',
      ...rest,
    ]);
    const batches = runs.map((run) =>
      run.flatMap((event) => (event.type === 'BatchesSettled' ? event.data.batches : [])),
    );
    for (const settled of batches) expect(settled.length).toBeGreaterThan(2);
  });
});

describe('on a chain that loses, delays, doubles, forks and lies, with crashes at every call', () => {
  test.each(
    slicesOf(protocolSeeds(SEEDS), 10).map((seeds) => [seeds[0], seeds] as const),
  )('everybody is paid once, and every run closes, from seed %d on', async (_first, seeds) => {
    expect(await wrongEngineRuns(seeds, optionsOf)).toEqual([]);
  });

  test.each(
    slicesOf(protocolSeeds(SEEDS_PUT_BACK), 5).map((seeds) => [seeds[0], seeds] as const),
  )('nobody is paid again by an engine whose log was put back, from seed %d on', async (_first, seeds) => {
    expect(await wrongEngineRuns(seeds, () => ({ putBack: true }))).toEqual([]);
  });
});
