// The searches of all drafts beside each other: nobody waits for a flooded one, and nobody's fault is another's.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Search } from '../../../../src/chain/history-search.ts';
import { createSearches } from '../../../../src/drafts/settling/searches.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import { type ScriptedTransaction, scriptedHistory, strangers } from '../../../support/scripted-history.ts';

const OURS = Uint8Array.of(7);
const ours = (slot: number): ScriptedTransaction => ({
  entry: historyEntry('ours', { slot }),
  transaction: { slot, wire: OURS, fee: 5_000n, error: undefined, logs: [] },
});
const search = (address: string, name = 'ours'): Search => ({
  name,
  commitment: 'finalized',
  known: [],
  history: { address, window: { from: 1n, to: 9_999n }, likelihood: () => 'possible' },
  matches: ({ wire }) => wire === OURS,
});

/** One history for each address. */
function world(histories: Readonly<Record<string, readonly ScriptedTransaction[]>>) {
  const scripts = new Map(
    Object.entries(histories).map(([address, each]) => [address, scriptedHistory(each)]),
  );
  const owner = new Map(
    Object.entries(histories).flatMap(([address, each]) =>
      each.map(({ entry }) => [entry.signature, address] as const),
    ),
  );
  const chain: Pick<Chain, 'signaturesOf' | 'transaction'> = {
    signaturesOf: async (address, asked) => scripts.get(address)?.chain.signaturesOf(address, asked) ?? [],
    transaction: async (signature, commitment) =>
      scripts.get(owner.get(signature) ?? '')?.chain.transaction(signature, commitment),
  };
  return { chain, reads: (address: string) => scripts.get(address)?.calls.reads ?? 0 };
}

function begin(chain: Pick<Chain, 'signaturesOf' | 'transaction'>, now: () => number = () => 0) {
  const told: string[] = [];
  const reports: object[] = [];
  const searches = createSearches({
    chain,
    clock: { now: () => new Date(now()) },
    logger: loggerTo((message, details) => void reports.push({ message, ...details })),
  });
  // Not waited for: a call may never end.
  onTestFinished(() => void searches.stop());
  const want = (transactionId: string, wanted: Search) =>
    searches.want({
      transactionId,
      search: wanted,
      async conclude({ kind }) {
        told.push(`${transactionId} ${kind}`);
        searches.end(transactionId);
      },
      async flooded({ address, listed }) {
        told.push(`${address} flooded by ${listed > 1_001 ? 'many' : listed}`);
      },
      unknown: async ({ code, address, signatures }) =>
        void told.push(`${code} ${address} ${signatures.join('')}`),
    });
  return { searches, want, told, reports };
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** As many turns as it takes: nothing here waits for time. */
async function turnsUntil(what: string, holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !holds(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(holds(), what).toBe(true);
}

test('a dozen flooded histories keep nobody waiting: another draft is found with the few calls that it needs', async () => {
  const flooded = Array.from({ length: 12 }, (_, index) => `flooded-${index}`);
  const { chain } = world({
    ...Object.fromEntries(
      flooded.map((address) => [address, strangers(1_100, { slot: 500, memo: address })]),
    ),
    short: [ours(400)],
  });
  const { searches, want, told } = begin(chain);
  for (const address of flooded) want(address, search(address));
  await turnsUntil('all of them are read', () => searches.counts().flooded > 0);
  want('short', search('short'));
  await turnsUntil('it is found', () => told.includes('short found'));
  expect(told.filter((each) => !each.includes('flooded by'))).toEqual(['short found']);
});

test('long searches make no more calls in a minute than they may, and go on where they stopped in the next', async () => {
  let now = 0;
  const { chain, reads } = world({ flooded: [...strangers(5_000, { slot: 500 }), ours(400)] });
  const { want, told } = begin(chain, () => now);
  /** How many transactions are read until nothing happens any more. */
  const readNow = async () => {
    const before = reads('flooded');
    want('flooded', search('flooded'));
    for (let latest = -1; latest !== reads('flooded'); ) {
      latest = reads('flooded');
      await someTurns();
    }
    return reads('flooded') - before;
  };
  // 2,400 calls of long searches, and those of the slice that is under way.
  const most = 2_400 + 16;
  const first = await readNow();
  expect(first).toBeGreaterThan(2_400);
  expect(first).toBeLessThanOrEqual(100 + most);
  expect(await readNow()).toBe(0);
  now = 59_999;
  expect(await readNow()).toBe(0);
  now = 60_000;
  const second = await readNow();
  expect(second).toBeGreaterThan(2_400 - 2 * 16);
  expect(second).toBeLessThanOrEqual(most);
  expect(told).toEqual(['flooded flooded by many']);
  now = 120_000;
  await readNow();
  expect(reads('flooded')).toBeLessThanOrEqual(5_001 + 8);
  expect(told).toEqual(['flooded flooded by many', 'flooded found']);
});

test('of many searches four run at once, those first that have made the fewest calls: one that hangs delays no other', async () => {
  const { chain, reads } = world({ flooded: strangers(1_100, { slot: 500 }), good: [ours(400)] });
  const hanging: string[] = [];
  let readBefore: number | undefined;
  const { want, told } = begin({
    ...chain,
    signaturesOf: async (address, asked) => {
      if (address === 'good') readBefore ??= reads('flooded');
      if (address === 'flooded' || address === 'good') return chain.signaturesOf(address, asked);
      hanging.push(address);
      return new Promise(() => undefined);
    },
  });
  for (const name of ['a', 'b', 'c', 'flooded', 'good']) want(name, search(name));
  await turnsUntil('the good one is found', () => told.includes('good found'));
  expect(readBefore).toBeLessThan(2 * 16);
  for (const name of ['d', 'e', 'f']) want(name, search(name));
  await someTurns();
  expect(hanging).toEqual(['a', 'b', 'c', 'd']);
});

test('two long searches run at once, and leave places for short ones', async () => {
  const flooded = ['501', '502', '503', '504'];
  const { chain, reads } = world({
    ...Object.fromEntries(flooded.map((address) => [address, strangers(200, { slot: Number(address) })])),
    short: [ours(400)],
  });
  let hanging = 0;
  const { want, told } = begin({
    ...chain,
    async transaction(signature, commitment) {
      const address = flooded.find((each) => signature.startsWith(`stranger-in-${each}`));
      if (address === undefined || reads(address) < 120) return chain.transaction(signature, commitment);
      hanging += 1;
      return new Promise(() => undefined);
    },
  });
  for (const address of flooded) want(address, search(address));
  await turnsUntil('long ones are under way', () => hanging > 0);
  await someTurns();
  want('short', search('short'));
  await turnsUntil('the short one is found', () => told.includes('short found'));
  // Each reads eight transactions at a time.
  expect(hanging).toBe(2 * 8);
});

test.each<[string, Partial<Chain>, number]>([
  ['fails', { signaturesOf: () => Promise.reject(new Error('no answer')) }, 1],
  ['awaits what is listed and not shown', { transaction: async () => undefined }, 0],
])('a search that %s is repeated after pauses that double, and a failure is reported once', async (_what, node, reported) => {
  let [now, calls] = [0, 0];
  const { chain } = world({ one: [ours(400)] });
  const counted = { ...chain, ...node };
  const { want, told, reports } = begin(
    {
      signaturesOf: (...asked) => {
        calls += 1;
        return counted.signaturesOf(...asked);
      },
      transaction: (...asked) => {
        calls += 1;
        return counted.transaction(...asked);
      },
    },
    () => now,
  );
  const isRepeated = async () => {
    const before = calls;
    want('one', search('one'));
    await someTurns();
    return calls > before;
  };
  expect(await isRepeated()).toBe(true);
  for (const pause of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    now += pause - 1;
    expect([pause, await isRepeated()]).toEqual([pause, false]);
    now += 1;
    expect([pause, await isRepeated()]).toEqual([pause, true]);
  }
  expect(told).toEqual([]);
  expect(reports).toMatchObject(Array.from({ length: reported }, () => ({ transactionId: 'one' })));
});

test('what a draft needs no more is searched no more, and something else is searched anew', async () => {
  const { chain } = world({ one: [ours(400)] });
  const held: (() => void)[] = [];
  const slow: Parameters<typeof begin>[0] = {
    ...chain,
    signaturesOf: async (address, asked) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return chain.signaturesOf(address, asked);
    },
  };
  const { searches, want, told } = begin(slow);
  const releaseAll = async (of: typeof searches) => {
    await someTurns();
    for (const release of held.splice(0)) release();
    await someTurns();
    return of.counts();
  };
  want('one', search('one'));
  searches.end('one');
  expect(await releaseAll(searches)).toEqual({ all: 0, flooded: 0 });
  expect(told).toEqual([]);
  want('one', search('one'));
  searches.retainOnly(new Set());
  expect(await releaseAll(searches)).toEqual({ all: 0, flooded: 0 });
  expect(told).toEqual([]);
  want('one', search('one'));
  want('one', search('one', 'another'));
  await releaseAll(searches);
  expect(told).toEqual(['one found']);
});

test('a stop waits for the turns under way, and nothing is searched after it', async () => {
  const held: (() => void)[] = [];
  const { chain } = world({ one: [ours(400)], other: [] });
  const lists: string[] = [];
  const { searches, want, told } = begin({
    ...chain,
    signaturesOf: async (address, asked) => {
      lists.push(address);
      await new Promise<void>((resolve) => held.push(resolve));
      return chain.signaturesOf(address, asked);
    },
  });
  want('one', search('one'));
  let isStopped = false;
  const stopped = searches.stop().then(() => {
    isStopped = true;
  });
  await someTurns();
  expect(isStopped).toBe(false);
  want('other', search('other'));
  for (const release of held.splice(0)) release();
  await stopped;
  await someTurns();
  // What was found by then concludes nothing: the next start finds it again.
  expect([lists, told]).toEqual([['one'], []]);
});

describe('a search that has read everything', () => {
  const empty: readonly ScriptedTransaction[] = [];
  const FIVE_MINUTES = 5 * 60_000;
  const ofNoHistory: Search = { name: 'ours', commitment: 'finalized', known: [], matches: () => false };
  const confirmed: Search = { ...search('one'), commitment: 'confirmed' };
  const withLikelihood = (likelihood: 'ruled-out') => ({
    ...search('one'),
    history: { address: 'one', window: { from: 1n, to: 9_999n }, likelihood: () => likelihood },
  });

  /** Reports of search slices at these moments. */
  async function toldAt(
    moments: readonly number[],
    history: readonly ScriptedTransaction[] = empty,
    wanted: Search = search('one'),
  ) {
    let now = 0;
    const at = begin(world({ one: history }).chain, () => 7_000 + now);
    for (now of moments) {
      at.want('one', wanted);
      await someTurns();
    }
    expect(at.reports).toEqual([]);
    return [...at.told, ...(at.searches.counts().flooded > 0 ? ['counted as flooded'] : [])];
  }

  test('concludes absence from the third pass on, and at once where there is no history', async () => {
    expect(await toldAt([0, 250])).toEqual([]);
    expect(await toldAt([0, 250, 750])).toEqual(['one absent']);
    expect(await toldAt([0], empty, ofNoHistory)).toEqual(['one absent']);
  });

  const FLOODED = ['one flooded by many', 'counted as flooded'];
  const NOT_FOUND = 'TRANSACTION_NOT_FOUND one ';
  const hidden = [...'abcdef'].map((name) => ({
    entry: historyEntry(name, { slot: 400 }),
    transaction: undefined,
  }));
  test.each<[string, Parameters<typeof toldAt>, readonly string[]]>([
    ['is told after five minutes', [[0, FIVE_MINUTES]], [NOT_FOUND]],
    ['is not told before', [[0, FIVE_MINUTES - 1]], []],
    ['is told once', [[0, FIVE_MINUTES, 2 * FIVE_MINUTES], hidden], ['TRANSACTION_NOT_SHOWN one abcde']],
    ['is not told of what is not final', [[0, FIVE_MINUTES], empty, confirmed], []],
    ['is not told while there is more to read', [[0, FIVE_MINUTES], strangers(25_000)], FLOODED],
    ['is not told of what is concluded by then', [[0, 250, FIVE_MINUTES]], ['one absent']],
  ])('and an outcome that is unknown %s', async (_what, given, told) => {
    expect(await toldAt(...given)).toEqual(told);
  });

  test('tells once of a history of more than a thousand entries', async () => {
    const flood = (count: number) => toldAt([0, 250], strangers(count), withLikelihood('ruled-out'));
    expect(await flood(1_000)).toEqual([]);
    expect(await flood(1_001)).toEqual(['one flooded by 1001', 'counted as flooded']);
  });
});
