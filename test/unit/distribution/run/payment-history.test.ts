// Settled payments are looked up in the histories of the pots that made them: whole, in bounded steps, whoever floods them.
import { expect, test } from 'vitest';
import { type PaymentListings, unlistedPayment } from '../../../../src/distribution/run/payment-history.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import { type ScriptedTransaction, scriptedHistory, strangers } from '../../../support/scripted-history.ts';

const SETTLED = ['first', 'second'].map((signature) => ({ signature, slot: '417' }));
const PAYMENTS = SETTLED.map(({ signature }) => ({ account: 'the pot', signature }));
const listed = (signature: string, error?: string): ScriptedTransaction => ({
  entry: historyEntry(signature, { slot: 417, ...(error === undefined ? {} : { error }) }),
  transaction: { slot: 417, wire: new Uint8Array(), fee: 5_000n, error, logs: [] },
});
const look = (history: readonly ScriptedTransaction[], listings: PaymentListings = new Map()) => {
  const { chain, calls } = scriptedHistory(history);
  const ask = () => unlistedPayment(chain, listings, PAYMENTS, { settled: SETTLED, atLeastSlot: 420n });
  return { ask, calls };
};

test('payments that the history lists are vouched for, and not asked for again', async () => {
  const { ask, calls } = look([listed('second'), listed('first')]);
  expect(await ask()).toBeUndefined();
  const { lists } = calls;
  expect(await ask()).toBeUndefined();
  expect([calls.lists, calls.reads]).toEqual([lists, 0]);
});

test.each([
  ['that the history does not list', [listed('first')]],
  ['that it lists as failed', [listed('second', 'InstructionError'), listed('first')]],
])('a payment %s is named', async (_what, history) => {
  expect(await look(history).ask()).toEqual({ payment: PAYMENTS[1], isComplete: true });
});

test('no payment is missing before all of a flooded history was listed, in steps of bounded calls', async () => {
  const flood = strangers(600_000, { slot: 418 });
  const { ask, calls } = look([...flood, listed('second'), listed('first')]);
  expect(await ask()).toEqual({ payment: PAYMENTS[0], isComplete: false });
  expect(calls.lists).toBeLessThanOrEqual(257);
  while ((await ask()) !== undefined) expect(calls.lists).toBeLessThan(700);
  expect(calls.reads).toBe(0);
});
