// Final prices of pools that will be sold into: sampled while they are wanted, and kept over a restart.
import { describe, expect, test } from 'vitest';
import { judgePool } from '../../../../src/chain/venue/judge-launch.ts';
import {
  type PriceSample,
  REFERENCE_WINDOW,
  SAMPLE_PAUSE,
} from '../../../../src/distribution/selling/price-reference.ts';
import { createPriceSampler } from '../../../../src/distribution/selling/price-sampler.ts';
import { PRICES_FILE, readPrices, writtenPrices } from '../../../../src/distribution/selling/prices-file.ts';
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

  test('is unknown when the node is away, or its finality stands still, and the round says so', async () => {
    const { at, open, pass } = world();
    const sampler = open();
    await pass(sampler, 40);
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
    await expect(sampleAfter(1)).rejects.toThrow('has not moved on from 100 for 60001 ms');
    at.slot += 1n;
    await sampleAfter(MINUTE);
    await sampleAfter(MINUTE);
  });

  test('is sampled as long as it was wanted within five minutes', async () => {
    const { at, open } = world();
    const sampler = open();
    const poolsAfter = async (milliseconds: number) => {
      at.now += milliseconds;
      at.slot += 1n;
      await sampler.sample();
      return sampler.pools();
    };
    sampler.want(mint);
    expect(await poolsAfter(4 * MINUTE)).toBe(1);
    sampler.want(mint);
    expect([await poolsAfter(5 * MINUTE), await poolsAfter(1)]).toEqual([1, 0]);
    expect(at.loads).toBe(1);
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
    await pass(open(), 31);
    const restarted = open();
    at.now += SAMPLE_PAUSE;
    at.slot += 30n;
    restarted.want(mint);
    await restarted.sample();
    expect(restarted.of(mint)).toMatchObject({ sqrtPrice: price });
  });

  test('after a long time begins anew', async () => {
    const { at, open, pass } = world();
    await pass(open(), 31);
    at.now += 40 * MINUTE;
    const restarted = open();
    await pass(restarted, 20);
    expect(restarted.of(mint)).toBeUndefined();
  });

  test('goes on with a token that was wanted before the file was read', async () => {
    const { at, open, pass } = world();
    await pass(open(), 20);
    const restarted = open();
    restarted.want(mint);
    at.now += 4 * MINUTE;
    at.slot += 30n;
    await restarted.sample();
    expect(restarted.pools()).toBe(1);
    // Wanted five minutes ago, and not when the file was read.
    at.now += MINUTE + 1;
    await restarted.sample();
    expect(restarted.pools()).toBe(0);
  });

  test('watches for five minutes whatever was sampled before it', async () => {
    const { at, open, pass } = world();
    await pass(open(), 20);
    const restarted = open();
    at.slot += 30n;
    await restarted.sample();
    at.now += 5 * MINUTE;
    at.slot += 30n;
    await restarted.sample();
    expect(restarted.pools()).toBe(1);
    at.now += 1;
    await restarted.sample();
    expect(restarted.pools()).toBe(0);
  });

  test('after the clock was set back counts with nothing that is to come', async () => {
    const { at, files, open, pass } = world();
    await pass(open(), 20);
    const before = files.get(PRICES_FILE)?.length ?? 0;
    at.now -= 21 * MINUTE;
    const restarted = open();
    at.slot += 30n;
    restarted.want(mint);
    await restarted.sample();
    at.now += MINUTE;
    at.slot += 30n;
    restarted.want(mint);
    await restarted.sample();
    expect(files.get(PRICES_FILE)?.length).toBeLessThan(before / 10);
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
    expect(said).toEqual(['price samples ignored: damaged or of another seed']);
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
  expect(long.of(mint)?.samples).toBe(REFERENCE_WINDOW / SAMPLE_PAUSE);
  expect(files.get(PRICES_FILE)?.length).toBeLessThan((REFERENCE_WINDOW / SAMPLE_PAUSE) * 80);
});

test('the file is written with the first round, and then once a minute', async () => {
  const { files, open, pass } = world();
  const sampler = open();
  const isWrittenIn = async (minutes: number) => {
    files.clear();
    await pass(sampler, minutes);
    return files.has(PRICES_FILE);
  };
  expect(await isWrittenIn(0.25)).toBe(true);
  expect([await isWrittenIn(0.75), await isWrittenIn(0.25), await isWrittenIn(0.75)]).toEqual([
    false,
    true,
    false,
  ]);
  // Nothing is watched.
  files.clear();
  await pass(sampler, 6, () => {});
  files.clear();
  await pass(sampler, 2, () => {});
  expect(files.size).toBe(0);
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
  expect(said).toEqual(['more pools are due than are watched']);
  // Of all these only one has a pool, so that there is room.
  await sampler.sample();
  expect(asked.map(({ addresses }) => addresses.length)).toEqual([1]);
  wantAll();
  expect(said).toHaveLength(2);
});

describe('a file of prices from before a restart', () => {
  const secret = new Uint8Array(32).fill(1);

  /** A sampler that finds such a file, and whose pools show no price of now. */
  function restartedWith(saved: ReadonlyMap<string, { readonly samples: readonly PriceSample[] }>) {
    const at = { now: START, slot: 1n };
    const files = new Map<string, Uint8Array>([[PRICES_FILE, writtenPrices(saved, secret)]]);
    const said: string[] = [];
    const sampler = createPriceSampler({
      chain: {
        accountsAt: async (addresses) => ({ slot: at.slot, accounts: addresses.map(() => undefined) }),
      },
      clock: { now: () => new Date(at.now) },
      blobs: {
        getFile: async (name) => files.get(name),
        putFile: async (name, bytes) => void files.set(name, bytes),
      },
      launchOf: async () => issuedLaunch,
      secret,
      logger: loggerTo((message) => said.push(message)),
    });
    /** Whether the round that comes so long after the last writes the file. */
    async function isWrittenAfter(milliseconds: number) {
      files.delete(PRICES_FILE);
      at.now += milliseconds;
      at.slot += 1n;
      await sampler.sample();
      return files.has(PRICES_FILE);
    }
    return { sampler, files, said, isWrittenAfter };
  }
  const savedOf = (mints: number, samples: readonly PriceSample[]) =>
    new Map(Array.from({ length: mints }, (_, number) => [`mint ${number}`, { samples }]));

  test('is taken on within the window, and with nothing that is to come', async () => {
    const samples = [-REFERENCE_WINDOW, 1 - REFERENCE_WINDOW, 0, 1].map((age) => ({
      at: START + age,
      slot: 7n,
      sqrtPrice: price,
    }));
    const { sampler, files } = restartedWith(savedOf(1, samples));
    await sampler.sample();
    expect(readPrices(files.get(PRICES_FILE) ?? new Uint8Array(), secret)).toEqual([
      { mint: 'mint 0', samples: samples.slice(1, 3) },
    ]);
  });

  test('with more pools than are watched is taken on up to as many', async () => {
    const { sampler } = restartedWith(savedOf(5_001, []));
    await sampler.sample();
    expect(sampler.pools()).toBe(5_000);
  });

  test('with as many pools as are watched lets no other in, which the log says once, however many rounds pass', async () => {
    const { sampler, said } = restartedWith(savedOf(5_000, []));
    for (let round = 0; round < 3; round += 1) {
      await sampler.sample();
      sampler.want('one more');
      expect(sampler.pools()).toBe(5_000);
    }
    expect(said).toEqual(['more pools are due than are watched']);
  });

  test('that is large is written less often than once a minute: 50 kB a second', async () => {
    // As large as thousands of pools make it, and read at once.
    const { sampler, files, isWrittenAfter } = restartedWith(
      new Map([['m'.repeat(3_100_000), { samples: [] }]]),
    );
    await sampler.sample();
    const pause = Math.ceil((files.get(PRICES_FILE)?.length ?? 0) / 50);
    expect(pause).toBeGreaterThan(61_000);
    expect([await isWrittenAfter(pause - 1), await isWrittenAfter(1)]).toEqual([false, true]);
  });
});
