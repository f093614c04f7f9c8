// A search in a history that anybody may flood: what it asks for, where it stops and goes on, and that it ends.
import { describe, expect, test } from 'vitest';
import { type Search, type SearchSlice, startSearch } from '../../../src/chain/history-search.ts';
import { historyEntry } from '../../support/history-entry.ts';
import { type ScriptedTransaction, scriptedHistory, strangers } from '../../support/scripted-history.ts';

const OURS = Uint8Array.of(7, 7, 7);
const FLOOD = 25_000;
const CALLS_PER_SLICE = 16;
const WINDOW = { from: 1_000n, to: 1_150n };

const ours = (slot: number, signature = 'ours'): ScriptedTransaction => ({
  entry: historyEntry(signature, { slot }),
  transaction: { slot, wire: OURS, fee: 5_000n, error: undefined, logs: [] },
});

function searchFor(changes: Partial<Search['history']> = {}, known: readonly string[] = []): Search {
  return {
    name: 'ours',
    commitment: 'finalized',
    known,
    history: { address: 'the account', window: WINDOW, likelihood: () => 'possible', ...changes },
    matches: ({ wire }) => wire === OURS,
  };
}

/** All turns until the search has ended, each of which may make only so many calls. */
async function run(history: readonly ScriptedTransaction[], search: Search) {
  const { chain, calls } = scriptedHistory(history);
  const running = startSearch(chain, search);
  let turns = 0;
  let most = 0;
  for (;;) {
    const before = running.calls;
    const turn: SearchSlice = await running.advance(CALLS_PER_SLICE);
    turns += 1;
    most = Math.max(most, running.calls - before);
    if (turn.kind === 'found' || turn.kind === 'absent' || turns > 10_000)
      return { turn, turns, most, calls, running };
  }
}

describe('what lies outside the window costs a call for a thousand, and is never read', () => {
  test.each<[string, readonly ScriptedTransaction[]]>([
    ['behind its end', [...strangers(FLOOD, { slot: 1_151 }), ours(1_100)]],
    ['before its beginning', [ours(1_100), ...strangers(FLOOD, { slot: 999 })]],
    [
      'on both sides',
      [...strangers(FLOOD, { slot: 1_151 }), ours(1_100), ...strangers(FLOOD, { slot: 999 })],
    ],
  ])('25,000 transfers %s', async (_where, history) => {
    const { turn, calls } = await run(history, searchFor());
    expect(turn).toMatchObject({ kind: 'found', signature: 'ours' });
    expect(calls.reads).toBe(1);
    expect(calls.lists).toBeLessThanOrEqual(27);
  });
});

describe('25,000 transfers within the window', () => {
  const flood = strangers(FLOOD, { slot: 1_100 });

  test('are read in turns that are bounded, each once, until all is known', async () => {
    const { turn, most, calls, running } = await run(flood, searchFor());
    expect(turn.kind).toBe('absent');
    expect(most).toBeLessThanOrEqual(CALLS_PER_SLICE + 8);
    expect(calls.reads).toBe(FLOOD);
    // The last 5,000 are listed twice: once to look for what is likely, and once to read them.
    expect(calls.lists).toBeLessThanOrEqual(27 + 6);
    expect(running.listed).toBe(FLOOD);
  });

  test('do not keep a known signature from being found as soon as the node shows it', async () => {
    const { chain, calls } = scriptedHistory(flood);
    let isShown = false;
    const running = startSearch(
      {
        ...chain,
        transaction: async (signature, commitment) =>
          signature === 'known' && isShown
            ? { slot: 1_100, wire: OURS, fee: 5_000n, error: undefined, logs: [] }
            : chain.transaction(signature, commitment),
      },
      searchFor({}, ['known']),
    );
    expect((await running.advance(CALLS_PER_SLICE)).kind).toBe('more');
    isShown = true;
    const [lists, reads] = [calls.lists, calls.reads];
    expect(await running.advance(CALLS_PER_SLICE)).toMatchObject({ kind: 'found', signature: 'known' });
    expect([calls.lists - lists, calls.reads - reads]).toEqual([0, 0]);
  });
});

describe('what proves nothing', () => {
  test('a listed transaction that is not shown is asked for again, and the search does not end without it', async () => {
    const history: ScriptedTransaction[] = [{ ...ours(1_100), transaction: undefined }];
    const { chain } = scriptedHistory(history);
    const running = startSearch(chain, searchFor());
    expect((await running.advance(CALLS_PER_SLICE)).kind).toBe('later');
    expect((await running.advance(CALLS_PER_SLICE)).kind).toBe('later');
    history[0] = ours(1_100);
    expect((await running.advance(CALLS_PER_SLICE)).kind).toBe('found');
  });

  test('an empty page of a node that does not know the place is no end of the history', async () => {
    const { chain } = scriptedHistory([...strangers(150, { slot: 1_100 }), ours(1_050)]);
    let isForgetful = true;
    const running = startSearch(
      {
        ...chain,
        signaturesOf: async (address, asked) =>
          isForgetful && asked.before !== undefined ? [] : chain.signaturesOf(address, asked),
      },
      searchFor({ likelihood: ({ signature }) => (signature === 'ours' ? 'possible' : 'ruled-out') }),
    );
    await expect(running.advance(CALLS_PER_SLICE)).rejects.toThrow('cannot continue its list');
    isForgetful = false;
    expect((await running.advance(CALLS_PER_SLICE)).kind).toBe('found');
  });
});

test('a list that leads in a circle ends with an error, in any length of the circle, and is listed from its beginning again', async () => {
  for (const pages of [1, 2, 3, 7, 12]) {
    const circle = Array.from({ length: pages * 999 }, (_, index) =>
      historyEntry(`${index}`, { slot: 1_100 }),
    );
    let calls = 0;
    const asked: (string | undefined)[] = [];
    const search = startSearch(
      {
        async signaturesOf(_address, { before, limit }) {
          calls += 1;
          asked.push(before);
          const from =
            before === undefined ? 0 : circle.findIndex(({ signature }) => signature === before) + 1;
          return Array.from(
            { length: limit },
            (_, index) => circle[(from + index) % circle.length] ?? historyEntry('', {}),
          );
        },
        transaction: async () => undefined,
      },
      searchFor({ likelihood: () => 'ruled-out' }),
    );
    await expect(search.advance(10_000)).rejects.toThrow(
      "the chain node's list of signatures repeats itself",
    );
    expect(calls).toBeLessThan(5 * pages + 10);
    await expect(search.advance(10_000)).rejects.toThrow('repeats itself');
    expect(asked.filter((before) => before === undefined)).toHaveLength(2);
  }
});
