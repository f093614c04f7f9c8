// Final prices of pools that will be sold into: sampled while they are wanted, and kept over a restart.
import { describe, expect, test } from 'vitest';
import { judgePool } from '../../../../src/chain/venue/judge-launch.ts';
import { SAMPLE_PAUSE } from '../../../../src/distribution/selling/price-reference.ts';
import { createPriceSampler } from '../../../../src/distribution/selling/price-sampler.ts';
import { PRICES_FILE } from '../../../../src/distribution/selling/prices-file.ts';
import { ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { loggerTo, silentLogger } from '../../../../src/kernel/ports/logger.ts';
import { issuedLaunch } from '../../chain/venue/launch-example.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const START = Date.parse('2026-05-04T11:00:00.000Z');
const MINUTE = 60_000;
const { mintAddress: mint } = issuedLaunch;
const pool = recorded('pool-after-sale');
const verdict = judgePool(issuedLaunch, pool);
const price = verdict.kind === 'landed' ? verdict.pool.sqrtPrice : 0n;

function world() {
  const files = new Map<string, Uint8Array>();
  const asked: { readonly addresses: readonly string[]; readonly commitment: string }[] = [];
  const said: string[] = [];
  const at = { now: START, slot: 100n, isAway: false, account: pool as typeof pool | undefined, loads: 0 };
  const open = (secret = new Uint8Array(32).fill(1)) =>
    createPriceSampler({
      chain: {
        async accountsAt(addresses, commitment) {
          if (at.isAway) throw new ChainUnavailable('away');
          asked.push({ addresses, commitment });
          return { slot: at.slot, accounts: addresses.map(() => at.account) };
        },
      },
      clock: { now: () => new Date(at.now) },
      blobs: {
        getFile: async (name) => files.get(name),
        putFile: async (name, bytes) => void files.set(name, bytes),
      },
      async launchOf(of) {
        at.loads += 1;
        return of === mint ? issuedLaunch : undefined;
      },
      secret,
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
  return { files, asked, said, at, open, pass };
}

describe('the price of a pool', () => {
  test('is known after half a window of final prices, and not before', async () => {
    const { asked, open, pass } = world();
    const sampler = open();
    await pass(sampler, 14);
    expect(sampler.of(mint)).toBeUndefined();
    await pass(sampler, 2);
    expect(sampler.of(mint)).toMatchObject({ sqrtPrice: price, samples: 64 });
    expect(new Set(asked.map(({ commitment }) => commitment))).toEqual(new Set(['finalized']));
    expect(asked[0]?.addresses).toEqual([issuedLaunch.poolAddress]);
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

  test('is unknown when the node is away, or its finality stands still, and the round says so', async () => {
    const { at, open, pass } = world();
    const sampler = open();
    await pass(sampler, 20);
    at.isAway = true;
    at.now += 2 * MINUTE;
    sampler.want(mint);
    await expect(sampler.sample()).rejects.toThrow('away');
    expect(sampler.of(mint)).toBeUndefined();

    at.isAway = false;
    await pass(sampler, 1);
    expect(sampler.of(mint)).toBeDefined();
    at.now += 2 * MINUTE;
    sampler.want(mint);
    await expect(sampler.sample()).rejects.toThrow('has not moved on');
    expect(sampler.of(mint)).toBeUndefined();
  });

  test('does not come from a pool that somebody else made', async () => {
    const { at, open, pass } = world();
    at.account = recorded('pool-of-somebody-else');
    const sampler = open();
    await pass(sampler, 20);
    expect(sampler.of(mint)).toBeUndefined();
  });
});

describe('a restart', () => {
  test('keeps what was sampled before it', async () => {
    const { at, open, pass } = world();
    await pass(open(), 20);
    const restarted = open();
    at.now += SAMPLE_PAUSE;
    at.slot += 30n;
    restarted.want(mint);
    await restarted.sample();
    expect(restarted.of(mint)).toMatchObject({ sqrtPrice: price });
  });

  test('after a long time begins anew', async () => {
    const { at, open, pass } = world();
    await pass(open(), 20);
    at.now += 40 * MINUTE;
    const restarted = open();
    await pass(restarted, 1);
    expect(restarted.of(mint)).toBeUndefined();
  });

  test.each([
    ['that another key has written', (bytes: Uint8Array) => bytes, new Uint8Array(32).fill(2)],
    ['that somebody changed', (bytes: Uint8Array) => bytes.with(60, (bytes[60] ?? 0) ^ 1), undefined],
    ['that was cut off', (bytes: Uint8Array) => bytes.subarray(0, 20), undefined],
  ])('does not believe a file %s', async (_name, changed, secret) => {
    const { files, at, said, open, pass } = world();
    await pass(open(), 20);
    files.set(PRICES_FILE, changed(files.get(PRICES_FILE) ?? new Uint8Array()));
    const restarted = open(secret);
    at.now += SAMPLE_PAUSE;
    at.slot += 30n;
    restarted.want(mint);
    await restarted.sample();
    expect(restarted.of(mint)).toBeUndefined();
    expect(said).toEqual(['the file of sampled prices is not ours, and is left']);
  });
});

test('the pools of a round are read a hundred at a time, and the file is bounded by the window', async () => {
  const { asked, at, files, open } = world();
  const sampler = createPriceSampler({
    chain: {
      async accountsAt(addresses) {
        asked.push({ addresses, commitment: 'finalized' });
        return { slot: at.slot, accounts: addresses.map(() => undefined) };
      },
    },
    clock: { now: () => new Date(at.now) },
    blobs: { getFile: async () => undefined, putFile: async (name, bytes) => void files.set(name, bytes) },
    launchOf: async () => issuedLaunch,
    secret: new Uint8Array(32),
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
  expect(long.of(mint)?.samples).toBe(120);
  expect(files.get(PRICES_FILE)?.length).toBeLessThan(120 * 80);
});
