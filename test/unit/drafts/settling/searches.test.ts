// The searches of all drafts beside each other: nobody waits for a flooded one, and nobody's fault is another's.
import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  RunningSearch,
  Search,
  SearchOutcome,
  SearchSlice,
} from '../../../../src/chain/history-search.ts';
import {
  type ActiveSearch,
  CALLS_PER_SLICE,
  createSearches,
  LONG,
  LONG_CALLS_PER_MINUTE,
  nextSlices,
  PLACES,
  PLACES_OF_LONG,
  runSlice,
  type Searches,
  type SearchState,
  UNKNOWN_AFTER,
} from '../../../../src/drafts/settling/searches.ts';
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
  const outcomes = new Map<string, SearchOutcome>();
  const floods: string[] = [];
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
      async conclude(outcome) {
        outcomes.set(transactionId, outcome);
        searches.end(transactionId);
      },
      async flooded({ address, listed }) {
        floods.push(`${address} ${listed > 1_000}`);
      },
      unknown: async () => undefined,
    });
  return { searches, want, outcomes, floods, reports };
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
  const { searches, want, outcomes } = begin(chain);
  for (const address of flooded) want(address, search(address));
  await turnsUntil('all of them are read', () => searches.counts().flooded > 0);
  want('short', search('short'));
  await turnsUntil('it is found', () => outcomes.has('short'));
  expect([...outcomes.keys()]).toEqual(['short']);
});

test('long searches make no more calls in a minute than they may, and go on where they stopped in the next', async () => {
  let now = 0;
  const { chain, reads } = world({ flooded: [...strangers(5_000, { slot: 500 }), ours(400)] });
  const { want, outcomes, floods } = begin(chain, () => now);
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
  const most = LONG_CALLS_PER_MINUTE + CALLS_PER_SLICE;
  const first = await readNow();
  expect(first).toBeGreaterThan(LONG_CALLS_PER_MINUTE);
  expect(first).toBeLessThanOrEqual(LONG + most);
  expect(await readNow()).toBe(0);
  now = 59_999;
  expect(await readNow()).toBe(0);
  now = 60_000;
  const second = await readNow();
  expect(second).toBeGreaterThan(LONG_CALLS_PER_MINUTE - 2 * CALLS_PER_SLICE);
  expect(second).toBeLessThanOrEqual(most);
  expect([outcomes.size, floods]).toEqual([0, ['flooded true']]);
  now = 120_000;
  await readNow();
  expect(outcomes.get('flooded')).toMatchObject({ kind: 'found', signature: 'ours' });
  expect(reads('flooded')).toBeLessThanOrEqual(5_001 + 8);
  expect(floods).toEqual(['flooded true']);
});

test('a call that hangs, or fails, delays no other draft, and is told once', async () => {
  const { chain } = world({ good: [ours(400)], hangs: [], fails: [] });
  let now = 0;
  const { want, outcomes, reports } = begin(
    {
      ...chain,
      signaturesOf: async (address, asked) => {
        if (address === 'hangs') return new Promise(() => undefined);
        if (address === 'fails') throw new Error('no answer');
        return chain.signaturesOf(address, asked);
      },
    },
    () => now,
  );
  want('fails', search('fails'));
  want('hangs', search('hangs'));
  want('good', search('good'));
  await turnsUntil('the good one is found', () => outcomes.has('good'));
  for (let times = 0; times < 3; times += 1) {
    now += 60_000;
    want('fails', search('fails'));
    await someTurns();
  }
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatchObject({ transactionId: 'fails' });
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
  const { searches, want, outcomes } = begin(slow);
  const releaseAll = async (of: Searches) => {
    await someTurns();
    for (const release of held.splice(0)) release();
    await someTurns();
    return of.counts();
  };
  want('one', search('one'));
  searches.end('one');
  expect(await releaseAll(searches)).toEqual({ all: 0, flooded: 0 });
  expect(outcomes.size).toBe(0);
  want('one', search('one'));
  searches.retainOnly(new Set());
  expect(await releaseAll(searches)).toEqual({ all: 0, flooded: 0 });
  expect(outcomes.size).toBe(0);
  want('one', search('one'));
  want('one', search('one', 'another'));
  await releaseAll(searches);
  expect(outcomes.get('one')?.kind).toBe('found');
});

test('a stop waits for the turns under way, and nothing is searched after it', async () => {
  const held: (() => void)[] = [];
  const { chain } = world({ one: [ours(400)], other: [] });
  const lists: string[] = [];
  const { searches, want, outcomes } = begin({
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
  expect([lists, outcomes.size]).toEqual([['one'], 0]);
});

describe('one turn of a search', () => {
  /** When each search has begun. */
  const BEGUN = 7_000;
  const ABSENT: SearchSlice = { kind: 'absent', others: new Map() };
  const MORE: SearchSlice = { kind: 'more' };
  const FOUND: SearchSlice = {
    kind: 'found',
    signature: 'ours',
    transaction: { slot: 1, wire: new Uint8Array(), fee: 0n, error: undefined, logs: [] },
  };
  const LATER: SearchSlice = { kind: 'later', missing: ['a', 'b', 'c', 'd', 'e', 'f'] };

  interface Given {
    readonly turn?: SearchSlice | Error;
    readonly commitment?: 'confirmed' | 'finalized';
    readonly hasHistory?: boolean;
    readonly listed?: number;
    /** Before the turn, and of the turn. */
    readonly calls?: readonly [number, number];
    readonly wanted?: (told: readonly string[]) => boolean;
    /** How often all was read, this turn included. */
    readonly passes?: number;
  }

  function searchOf({
    turn = MORE,
    commitment = 'finalized',
    hasHistory = true,
    listed = 3,
    calls = [0, 4],
    wanted = () => true,
    passes = 3,
  }: Given) {
    const told: string[] = [];
    const spent: string[] = [];
    const reports: object[] = [];
    const given = { turn };
    let now = 0;
    const running = {
      calls: calls[0],
      listed,
      passes,
      search: {
        name: 'ours',
        commitment,
        known: [],
        matches: () => false,
        ...(hasHistory && {
          history: {
            address: 'account',
            window: { from: undefined, to: undefined },
            likelihood: () => 'possible',
          },
        }),
      },
      async advance() {
        running.calls += calls[1];
        if (given.turn instanceof Error) throw given.turn;
        return given.turn;
      },
    };
    const one: ActiveSearch = {
      wanted: {
        transactionId: 'draft',
        search: running.search as RunningSearch['search'],
        conclude: async ({ kind }) => void told.push(kind),
        flooded: async (history) => void told.push(`flooded ${history.address} ${history.listed}`),
        unknown: async ({ code, address, signatures }) =>
          void told.push(`${code} ${address} ${signatures.join('')}`),
      },
      running: running as unknown as RunningSearch,
      isRunning: true,
      notBefore: 0,
      failures: 0,
      ends: 0,
      isFlooded: false,
      begunAt: BEGUN,
      isToldUnknown: false,
    };
    return {
      one,
      told,
      spent,
      reports,
      given,
      /** Milliseconds from the last turn to the next. */
      rest: () => one.notBefore - now,
      /** So many milliseconds after the search has begun. */
      async take(at = 0) {
        now = BEGUN + at;
        await runSlice(one, {
          clock: { now: () => new Date(now) },
          logger: loggerTo((message, details) => void reports.push({ message, ...details })),
          isActive: () => wanted(told),
          spend: (when, count) => void spent.push(`${count} at ${when - BEGUN}`),
        });
      },
    };
  }

  describe('a turn', () => {
    test.each<[string, SearchSlice, readonly string[], number]>([
      ['that has more to read goes on at once', MORE, [], 0],
      ['that has found it concludes, and rests in case that nothing follows', FOUND, ['found'], 250],
      ['that has read all without it concludes', ABSENT, ['absent'], 250],
      ['that awaits what is listed and not shown concludes nothing', LATER, [], 250],
    ])('%s', async (_what, turn, told, rest) => {
      const search = searchOf({ turn });
      await search.take(1_000);
      expect(search.told).toEqual(told);
      expect(search.rest()).toBe(rest);
      expect(search.one.ends).toBe(turn === MORE ? 0 : 1);
    });

    test.each([
      [1, []],
      [2, []],
      [3, ['absent']],
    ])('that has read a history %i times without it concludes its absence from the third on', async (passes, told) => {
      const search = searchOf({ turn: ABSENT, passes });
      await search.take(1_000);
      expect(search.told).toEqual(told);
    });

    test('that reads no history concludes at once', async () => {
      const search = searchOf({ turn: ABSENT, passes: 1, hasHistory: false });
      await search.take(1_000);
      expect(search.told).toEqual(['absent']);
    });

    test('rests longer each time that it ends', async () => {
      const search = searchOf({ turn: LATER });
      for (const rest of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
        await search.take(1_000);
        expect(search.rest()).toBe(rest);
      }
    });

    test.each([
      FOUND,
      ABSENT,
      LATER,
    ])('of a search that is wanted no more tells nothing: $kind', async (turn) => {
      const search = searchOf({ turn, listed: 5_000, wanted: () => false });
      await search.take(2 * UNKNOWN_AFTER);
      expect(search.told).toEqual([]);
    });

    test('that concludes tells of no unknown outcome: the draft wants it no more', async () => {
      const search = searchOf({ turn: ABSENT, wanted: (told) => told.length === 0 });
      await search.take(2 * UNKNOWN_AFTER);
      expect(search.told).toEqual(['absent']);
    });

    test('concludes nothing where the draft wants it no more once its flood is told', async () => {
      const search = searchOf({ turn: FOUND, listed: 1_001, wanted: (told) => told.length === 0 });
      await search.take();
      expect(search.told).toEqual(['flooded account 1001']);
    });
  });

  describe('a flooded history', () => {
    test.each<[string, Given, readonly string[]]>([
      ['of a thousand entries is none', { listed: 1_000 }, []],
      ['of one more is told once', { listed: 1_001 }, ['flooded account 1001']],
      ['is none where no history is read', { listed: 5_000, hasHistory: false }, []],
    ])('%s', async (_what, given, told) => {
      const search = searchOf(given);
      for (let times = 0; times < 2; times += 1) await search.take();
      expect(search.told).toEqual(told);
      expect(search.one.isFlooded).toBe(told.length > 0);
      expect(search.reports).toEqual([]);
    });
  });

  describe('an outcome that nothing tells', () => {
    test.each<[string, Given, number, readonly string[]]>([
      [
        'is told after five minutes',
        { turn: ABSENT },
        UNKNOWN_AFTER,
        ['absent', 'TRANSACTION_NOT_FOUND account '],
      ],
      ['is not told before', { turn: ABSENT }, UNKNOWN_AFTER - 1, ['absent']],
      [
        'names five of the signatures that are not shown',
        { turn: LATER },
        UNKNOWN_AFTER,
        ['TRANSACTION_NOT_SHOWN account abcde'],
      ],
      [
        'is not told of what is not final',
        { turn: ABSENT, commitment: 'confirmed' },
        UNKNOWN_AFTER,
        ['absent'],
      ],
      [
        'is not told where no history is read',
        { turn: ABSENT, hasHistory: false },
        UNKNOWN_AFTER,
        ['absent'],
      ],
      ['is not told while there is more to read', { turn: MORE }, UNKNOWN_AFTER, []],
    ])('%s', async (_what, given, at, told) => {
      const search = searchOf(given);
      await search.take(at);
      expect(search.told).toEqual(told);
      expect(search.reports).toEqual([]);
    });

    test('is told once', async () => {
      const search = searchOf({ turn: LATER });
      for (const at of [UNKNOWN_AFTER, 2 * UNKNOWN_AFTER]) await search.take(at);
      expect(search.told).toHaveLength(1);
    });
  });

  describe('a turn that fails', () => {
    test('is reported with its draft when it is the first in a row, and rests longer each time', async () => {
      const search = searchOf({ turn: new Error('no answer') });
      for (const rest of [250, 500, 1_000]) {
        await search.take(1_000);
        expect(search.rest()).toBe(rest);
      }
      expect(search.reports).toMatchObject([{ transactionId: 'draft', error: 'Error: no answer' }]);
      search.given.turn = MORE;
      await search.take(1_000);
      expect([search.one.failures, search.rest()]).toEqual([0, 0]);
      search.given.turn = new Error('no answer');
      await search.take(1_000);
      expect(search.reports).toHaveLength(2);
    });
  });

  test.each<[string, readonly [number, number], readonly string[]]>([
    ['of a search that has taken many calls count for the minute', [100, 7], ['7 at 5']],
    ['of a search that has taken few do not, though it has taken many by then', [99, 7], []],
  ])('the calls %s', async (_what, calls, spent) => {
    const search = searchOf({ calls });
    await search.take(5);
    expect(search.spent).toEqual(spent);
  });
});

describe('who may search next', () => {
  const NOW = 1_000_000;
  const search = (transactionId: string, change: Partial<SearchState> = {}): SearchState => ({
    transactionId,
    isRunning: false,
    calls: 0,
    notBefore: 0,
    ...change,
  });
  const next = (searches: readonly SearchState[], longCalls = 0) =>
    nextSlices(searches, { now: NOW, longCalls });
  const long = Array.from({ length: 1_000 }, (_, index) => search(`long-${index}`, { calls: LONG + index }));

  describe('the next turns', () => {
    test('go first to those that took the fewest calls', () => {
      const searches = [search('a', { calls: 40 }), search('b', { calls: 2 }), search('c', { calls: 16 })];
      expect(next(searches)).toEqual(['b', 'c', 'a']);
    });

    test('are no more than there are places', () => {
      const many = Array.from({ length: 50 }, (_, index) => search(`short-${index}`));
      expect(next(many)).toHaveLength(PLACES);
      const running = many.slice(0, PLACES - 1).map((one) => ({ ...one, isRunning: true }));
      expect(next([...running, ...many.slice(PLACES)])).toHaveLength(1);
      expect(next(many.map((one) => ({ ...one, isRunning: true })))).toEqual([]);
    });

    test('leave places for a short search, however many long ones there are', () => {
      expect(next(long)).toHaveLength(PLACES_OF_LONG);
      const running = long.slice(0, PLACES_OF_LONG).map((one) => ({ ...one, isRunning: true }));
      expect(next([...running, ...long.slice(PLACES_OF_LONG), search('short')])).toEqual(['short']);
      expect(next([...long, search('short')])[0]).toBe('short');
    });

    test('are refused to long searches once they have made the calls of a minute, and to short ones never', () => {
      const spent = LONG_CALLS_PER_MINUTE - CALLS_PER_SLICE + 1;
      expect(next(long, spent)).toEqual([]);
      expect(next(long, spent - 1)).toHaveLength(1);
      expect(next([...long, search('short')], spent)).toEqual(['short']);
    });

    test('wait for the rest of a search', () => {
      expect(next([search('a', { notBefore: NOW + 1 })])).toEqual([]);
      expect(next([search('a', { notBefore: NOW })])).toEqual(['a']);
    });
  });
});
