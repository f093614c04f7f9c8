// What one turn of a search leads to, for the draft that it is for and for the next turn.
import { describe, expect, test } from 'vitest';
import type { RunningSearch, SearchTurn } from '../../../../src/chain/history-search.ts';
import { type KeptSearch, takeTurn, UNKNOWN_AFTER } from '../../../../src/drafts/settling/searches.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';

/** When each search has begun. */
const BEGUN = 7_000;
const ABSENT: SearchTurn = { kind: 'absent', others: new Map() };
const MORE: SearchTurn = { kind: 'more' };
const FOUND: SearchTurn = {
  kind: 'found',
  signature: 'ours',
  transaction: { slot: 1, wire: new Uint8Array(), fee: 0n, error: undefined, logs: [] },
};
const LATER: SearchTurn = { kind: 'later', unshown: ['a', 'b', 'c', 'd', 'e', 'f'] };

interface Given {
  readonly turn?: SearchTurn | Error;
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
    async turn() {
      running.calls += calls[1];
      if (given.turn instanceof Error) throw given.turn;
      return given.turn;
    },
  };
  const one: KeptSearch = {
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
      await takeTurn(one, {
        clock: { now: () => new Date(now) },
        logger: loggerTo((message, details) => void reports.push({ message, ...details })),
        isWanted: () => wanted(told),
        spend: (when, count) => void spent.push(`${count} at ${when - BEGUN}`),
      });
    },
  };
}

describe('a turn', () => {
  test.each<[string, SearchTurn, readonly string[], number]>([
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
    ['is not told where no history is read', { turn: ABSENT, hasHistory: false }, UNKNOWN_AFTER, ['absent']],
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
