// The whole engine on the faulty chain: every run closes, everybody is paid once, and the audit finds nothing.
// LEVY_PROTOCOL_SEED=<seed> runs one seed, LEVY_PROTOCOL_SEEDS=<count> more of them: the faults tier runs a thousand.
import { describe, expect, test } from 'vitest';
import { type EngineRun, runEngine } from '../../support/faulty-chain/engine-run.ts';
import { protocolSeeds, slicesOf } from '../../support/faulty-chain/seeds.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';
import { wrongRuns } from '../../support/faulty-chain/wrong-runs.ts';

const SEEDS = 4;
const SEEDS_PUT_BACK = 2;
/** Every third is driven by two engines on one log; the longer storms are those of the faults. */
const optionsOf = (seed: number) => ({ engines: seed % 3 === 0 ? 2 : 1, stormyCalls: 800 });
const STEPS = ['RunOpened', 'LinksLanded', 'DistributionHalted', 'RunSkipped', 'RunClosed'];
const batchesOf = (run: EngineRun['runs'][number]) =>
  run.flatMap((event) => (event.type === 'BatchesSettled' ? event.data.batches : []));

describe('a run on a chain without faults', () => {
  test.each([
    ['in SOL that a desk pays', 'sol', ['open', 'close']],
    // A delegate whose allowance is used up needs no revoking.
    ['in the token itself', 'token', ['open']],
  ] as const)('%s is closed, with books that the chain bears out', async (_how, asset, links) => {
    const { findings, halted, paidTwice, distribution, runs } = await runEngine(1, {
      weather: CALM,
      assets: [asset, asset],
    });
    expect({ findings, halted, paidTwice }).toEqual({ findings: [], halted: undefined, paidTwice: [] });
    const events = distribution.filter(({ type }) => STEPS.includes(type));
    const rest = ['split', ...links, 'RunClosed'];
    expect(events.map(({ type, data }) => ('purpose' in data ? data.purpose : type))).toEqual([
      'RunOpened',
      'begin',
      ...rest,
      'RunOpened',
      ...rest,
    ]);
    for (const settled of runs.map(batchesOf)) expect(settled.length).toBeGreaterThan(2);
  });

  test("at a market's price is sold at a later moment, once, and moves what the next one may", async () => {
    const { findings, halted, distribution, runs, closed } = await runEngine(3, {
      weather: CALM,
      assets: ['sol', 'sol'],
      marketRefuses: (quote) => (quote < 3 ? 'price-below-reference' : undefined),
    });
    expect({ findings, halted, closed }).toEqual({ findings: [], halted: undefined, closed: 2 });
    const [first = []] = runs;
    const awaited = first.flatMap((event) => (event.type === 'SaleAwaited' ? [event.data.reason] : []));
    expect(awaited).toEqual(['price-below-reference']);
    const sales = distribution.flatMap((event) =>
      event.type === 'LinksRecorded' && event.data.sale !== undefined ? [event.data.sale] : [],
    );
    // The second counts what the first has moved.
    expect(sales.map(({ moved }) => moved)).toEqual([0, sales[0]?.impact]);
    const collected = first.find((event) => event.type === 'TaxCollected');
    const collectedAt = collected?.type === 'TaxCollected' ? (collected.data.at ?? '') : '';
    expect(Date.parse(sales[0]?.at ?? '')).toBeGreaterThan(Date.parse(collectedAt));
    for (const run of runs) {
      const split = run.find((event) => event.type === 'TaxSplit');
      expect(split?.data).toMatchObject({ unsold: null, tries: 1, offers: [{ landed: true }] });
    }
  });

  test('without a fair price until its time is over burns, keeps the rest, and says why', async () => {
    const { findings, halted, runs, closed } = await runEngine(4, {
      weather: CALM,
      assets: ['sol'],
      marketRefuses: () => 'price-below-reference',
    });
    expect({ findings, halted, closed }).toEqual({ findings: [], halted: undefined, closed: 1 });
    const split = runs[0]?.find((event) => event.type === 'TaxSplit');
    expect(split?.data).toMatchObject({
      unsold: 'price-below-reference',
      tries: 0,
      offers: [],
      proceeds: '0',
      sold: { developer: '0', holders: '0' },
    });
  });

  test('in the token itself costs the distributor two signatures for each batch', async () => {
    const { runs } = await runEngine(2, { weather: CALM, assets: ['token'] });
    expect(new Set(runs.flatMap(batchesOf).map(({ fee }) => fee))).toEqual(new Set(['10000']));
  });
});

describe('on a node that leaves out every third account, at random', () => {
  const weather = { ...CALM, hidden: 0.3 };

  test.each([1, 2, 3, 4, 5, 6])('every run closes, and none halts, with seed %d', async (seed) => {
    expect(await wrongRuns([seed], () => ({ weather }))).toEqual([]);
  });

  test('a token whose till is really gone halts all the same', async () => {
    const halts = [];
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
      halts.push((await runEngine(seed, { weather, putBack: true })).halted);
    expect(halts.filter((halt) => halt?.startsWith('CHAIN_AHEAD_OF_LOG')).length).toBeGreaterThan(0);
  });
});

describe('on a chain that loses, delays, doubles, forks and lies, with crashes at every call', () => {
  test('a loan that one process records while another closes the run lands before it closes', async () => {
    expect(await wrongRuns([613], () => ({ engines: 2 }))).toEqual([]);
  });

  test.each(
    slicesOf(protocolSeeds(SEEDS), 10).map((seeds) => [seeds[0], seeds] as const),
  )('everybody is paid once, and every run closes, from seed %d on', async (_first, seeds) => {
    expect(await wrongRuns(seeds, optionsOf)).toEqual([]);
  });

  test.each(
    slicesOf(protocolSeeds(SEEDS_PUT_BACK), 5).map((seeds) => [seeds[0], seeds] as const),
  )('nobody is paid again by an engine whose log was put back, from seed %d on', async (_first, seeds) => {
    expect(await wrongRuns(seeds, () => ({ putBack: true }))).toEqual([]);
  });
});
