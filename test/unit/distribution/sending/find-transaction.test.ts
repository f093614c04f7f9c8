// The engine finds what it has landed, whoever names the same account in transactions of their own, and in bounded steps.
import { expect, test } from 'vitest';
import {
  findTransaction,
  type HistorySearches,
} from '../../../../src/distribution/sending/find-transaction.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import { type ScriptedTransaction, scriptedHistory, strangers } from '../../../support/scripted-history.ts';

const OURS = Uint8Array.of(7, 7, 7);
/** What one step of a token may take, and the rest of a page that is read together. */
const MAX_CALLS = 256 + 8;

const ours: ScriptedTransaction = {
  entry: historyEntry('ours', { slot: 417 }),
  transaction: { slot: 417, wire: OURS, fee: 5_000n, error: undefined, logs: [] },
};

const wanted: Parameters<typeof findTransaction>[2] = {
  address: 'the till',
  name: 'what made it',
  likely: [],
  matches: ({ wire }) => wire === OURS,
};

test('in one step, where its signature is known', async () => {
  const { chain, calls } = scriptedHistory([...strangers(10_000), ours]);
  const found = await findTransaction(chain, new Map(), { ...wanted, likely: ['ours'] });
  expect(found?.signature).toBe('ours');
  expect(calls).toEqual({ lists: 0, reads: 1 });
});

test('below 10,000 transfers of a stranger, each read once, in steps of bounded calls', async () => {
  const { chain, calls } = scriptedHistory([...strangers(10_000, { slot: 418 }), ours]);
  const searches: HistorySearches = new Map();
  let most = 0;
  for (let steps = 0; steps < 100; steps += 1) {
    const before = calls.lists + calls.reads;
    const found = await findTransaction(chain, searches, wanted);
    most = Math.max(most, calls.lists + calls.reads - before);
    if (found === undefined) continue;
    expect(found.signature).toBe('ours');
    expect(calls.reads).toBeLessThanOrEqual(10_008);
    expect(most).toBeLessThanOrEqual(MAX_CALLS);
    expect(searches.size).toBe(0);
    return;
  }
  expect.fail('it was not found');
});

test('one that failed is not it, and costs no call', async () => {
  const { chain, calls } = scriptedHistory(strangers(500, { error: 'InstructionError' }, OURS));
  expect(await findTransaction(chain, new Map(), wanted)).toBeUndefined();
  expect(calls.reads).toBe(0);
});
