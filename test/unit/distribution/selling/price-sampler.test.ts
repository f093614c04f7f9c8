// Final prices of pools that will be sold into: sampled while they are wanted.
import { describe, expect, test } from 'vitest';
import { judgePool } from '../../../../src/chain/venue/judge-launch.ts';
import { REFERENCE_WINDOW, SAMPLE_PAUSE } from '../../../../src/distribution/selling/price-reference.ts';
import { createPriceSampler } from '../../../../src/distribution/selling/price-sampler.ts';
import { ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { loggerTo, silentLogger } from '../../../../src/kernel/ports/logger.ts';
import { issuedLaunch } from '../../chain/venue/launch-example.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const START = Date.parse('2026-05-04T11:00:00.000Z');
const MINUTE = 60_000;
const { mintAddress: mint } = issuedLaunch;
const pool = recorded('pool-after-sale');
const verdict = judgePool(issuedLaunch, pool);
const price = verdict?.sqrtPrice ?? 0n;

function world() {
  const asked: { readonly addresses: readonly string[]; readonly commitment: string }[] = [];
  const said: string[] = [];
  const at = { now: START, slot: 100n, isAway: false, account: pool as typeof pool | undefined, loads: 0 };
  const open = () =>
    createPriceSampler({
      chain: {
        async accountsAt(addresses, commitment) {
          if (at.isAway) throw new ChainUnavailable('away');
          asked.push({ addresses, commitment });
          return { slot: at.slot, accounts: addresses.map(() => at.account) };
        },
      },
      clock: { now: () => new Date(at.now) },
      async launchOf(of) {
        at.loads += 1;
        return of === mint ? issuedLaunch : undefined;
      },
      logger: loggerTo((message) => said.push(message)),
    });
  type Sampler = ReturnType<typeof open>;
  /** Rounds of so many minutes; `each` comes before each of them. */
  async function pass(sampler: Sampler, minutes: number, each: () => void = () => sampler.want(mint)) {
    for (let passed = 0; passed < minutes * MINUTE; passed += SAMPLE_PAUSE) {
      at.now += SAMPLE_PAUSE;
      at.slot += 30n;
      each();
      await sampler.sample();
    }
  }
  return { asked, said, at, open, pass };
}

describe('the price of a pool', () => {
  test('is known after half an hour of final prices, and not before', async () => {
    const { asked, open, pass } = world();
    const sampler = open();
    await pass(sampler, 29);
    expect(sampler.of(mint)).toBeUndefined();
    await pass(sampler, 2);
    expect(sampler.of(mint)).toMatchObject({ sqrtPrice: price, samples: 124 });
    expect(new Set(asked.map(({ commitment }) => commitment))).toEqual(new Set(['finalized']));
    expect(asked[0]?.addresses).toEqual([issuedLaunch.poolAddress]);
    expect(sampler.of('a mint that nobody wanted')).toBeUndefined();
  });

  test('is looked at only while somebody wants it, and of tokens without a pool never', async () => {
    const { asked, at, open, pass } = world();
    const sampler = open();
    sampler.want(mint);
    sampler.want('a token without a launch');
    await pass(sampler, 10, () => {});
    // Five minutes of it.
    expect(asked).toHaveLength(20);
    expect(at.loads).toBe(2);
    expect(sampler.pools()).toBe(0);
  });

  test('may be of a slot that stood still for a minute, and no longer', async () => {
    const { at, open } = world();
    const sampler = open();
    const sampleAfter = (milliseconds: number) => {
      at.now += milliseconds;
      sampler.want(mint);
      return sampler.sample();
    };
    await sampleAfter(0);
    await sampleAfter(MINUTE);
    await expect(sampleAfter(1)).rejects.toThrow('has stayed at 100 for 60001 ms');
    at.slot += 1n;
    await sampleAfter(MINUTE);
    await sampleAfter(MINUTE);
  });

  test('does not come from a pool that somebody else made', async () => {
    const { at, open, pass } = world();
    at.account = recorded('pool-of-somebody-else');
    const sampler = open();
    await pass(sampler, 20);
    expect(sampler.of(mint)).toBeUndefined();
  });
});

test('the pools of a round are read a hundred at a time, and samples are bounded by the window', async () => {
  const { asked, at, open } = world();
  const sampler = createPriceSampler({
    chain: {
      async accountsAt(addresses) {
        asked.push({ addresses, commitment: 'finalized' });
        return { slot: at.slot, accounts: addresses.map(() => undefined) };
      },
    },
    clock: { now: () => new Date(at.now) },
    launchOf: async () => issuedLaunch,
    logger: silentLogger,
  });
  for (let number = 0; number < 250; number++) sampler.want(`mint ${number}`);
  await sampler.sample();
  expect(asked.map(({ addresses }) => addresses.length)).toEqual([100, 100, 50]);

  const long = open();
  for (let round = 0; round < 300; round++) {
    at.now += SAMPLE_PAUSE;
    at.slot += 30n;
    long.want(mint);
    await long.sample();
  }
  expect(long.of(mint)?.samples).toBe(REFERENCE_WINDOW / SAMPLE_PAUSE);
});

test('no more than 5,000 pools are watched, which the log says once until there is room again', async () => {
  const { asked, at, said, open } = world();
  const sampler = open();
  at.account = undefined;
  const wantAll = () => {
    for (let number = 0; number < 5_002; number++) sampler.want(number === 0 ? mint : `mint ${number}`);
  };
  wantAll();
  wantAll();
  expect(said).toEqual(['pool limit reached; prices of further pools are not sampled']);
  // Of all these only one has a pool, so that there is room.
  await sampler.sample();
  expect(asked.map(({ addresses }) => addresses.length)).toEqual([1]);
  wantAll();
  expect(said).toHaveLength(2);
});
