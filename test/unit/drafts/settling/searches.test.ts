// The searches of all drafts beside each other: nobody waits for a flooded one, and nobody's fault is another's.
import { expect, onTestFinished, test } from 'vitest';
import type { Search, SearchOutcome } from '../../../../src/chain/history-search.ts';
import {
  CALLS_PER_TURN,
  createSearches,
  LONG,
  LONG_CALLS_PER_MINUTE,
  type Searches,
  UNKNOWN_AFTER,
} from '../../../../src/drafts/settling/searches.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { loggerTo, silentLogger } from '../../../../src/kernel/ports/logger.ts';
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
  const unknowns: object[] = [];
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
      async unknown(unknown) {
        unknowns.push({ transactionId, ...unknown });
      },
    });
  return { searches, want, outcomes, floods, unknowns, reports };
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
  const most = LONG_CALLS_PER_MINUTE + CALLS_PER_TURN;
  const first = await readNow();
  expect(first).toBeGreaterThan(LONG_CALLS_PER_MINUTE);
  expect(first).toBeLessThanOrEqual(LONG + most);
  expect(await readNow()).toBe(0);
  now = 59_999;
  expect(await readNow()).toBe(0);
  now = 60_000;
  const second = await readNow();
  expect(second).toBeGreaterThan(LONG_CALLS_PER_MINUTE - 2 * CALLS_PER_TURN);
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

test('an outcome that nothing tells is told after minutes, and once', async () => {
  let now = 0;
  const { chain } = world({ one: [{ ...ours(400), transaction: undefined }] });
  const { want, unknowns } = begin(chain, () => now);
  for (const at of [0, UNKNOWN_AFTER, 2 * UNKNOWN_AFTER]) {
    now = at;
    want('one', search('one'));
    await someTurns();
  }
  const unknown = { code: 'TRANSACTION_NOT_SHOWN', address: 'one', signatures: ['ours'] };
  expect(unknowns).toEqual([{ transactionId: 'one', ...unknown }]);
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
  searches.keepOnly(new Set());
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

test('what is searched ends with its draft', async () => {
  const { chain } = world({ one: [] });
  const searches = createSearches({ chain, clock: { now: () => new Date(0) }, logger: silentLogger });
  onTestFinished(() => void searches.stop());
  for (const transactionId of ['a', 'b'])
    searches.want({
      transactionId,
      search: search('one'),
      conclude: async () => undefined,
      flooded: async () => undefined,
      unknown: async () => undefined,
    });
  searches.keepOnly(new Set(['b']));
  expect(searches.counts()).toEqual({ all: 1, flooded: 0 });
  searches.keepOnly(new Set());
  expect(searches.counts().all).toBe(0);
});
