// Paying: a round is recorded before anything of it is signed, and what is under way is looked at less and less often.

import { describe, expect, test } from 'vitest';
import { AGAIN } from '../../../../../src/distribution/decision.ts';
import { createPayingMemory } from '../../../../../src/distribution/paying/paying-memory.ts';
import type { PaymentBook } from '../../../../../src/distribution/paying/payment-book.ts';
import { payingFor } from '../../../../../src/distribution/run/open-payments.ts';
import { pay } from '../../../../../src/distribution/run/steps/pay.ts';
import { LinksLanded } from '../../../../../src/streams/distribution.ts';
import {
  batchesSettled,
  files,
  roundRecorded,
  runAllotted,
  taxSplit,
} from '../../../../support/distribution-examples.ts';
import {
  BOOK,
  courseTo,
  nodeShowing,
  only,
  openLanded,
  stepAt,
  waiting,
} from '../../../../support/run-examples.ts';

const book = only<PaymentBook>('the book', BOOK);
const stepOf = (events: Parameters<typeof stepAt>[0], parts: Parameters<typeof stepAt>[1] = {}) =>
  stepAt(events, { ...parts, memory: { ...parts.memory, book: { ledger: files.ledger, book } } });

describe('of payments', () => {
  test('a plan is recorded as the next round, before anything of it is signed', async () => {
    expect(await pay(stepOf(courseTo(openLanded)))).toEqual({
      kind: 'record-of-run',
      events: [roundRecorded],
    });
  });

  test('those under way are waited for, longer with each look', async () => {
    const at = stepOf(courseTo(roundRecorded), { parts: { chain: nodeShowing({}).chain } });
    for (const pause of [100, 200, 400, 400])
      expect(await pay(at)).toMatchObject(waiting('chain-unavailable', undefined, pause));
  });

  test('none is left: the next step follows at once', async () => {
    expect(await pay(stepOf(courseTo(batchesSettled)))).toEqual(AGAIN);
  });

  test('none is looked for before there is a ledger', async () => {
    expect(await pay(stepAt(courseTo(taxSplit)))).toEqual(AGAIN);
  });
});

describe('pots are looked at', () => {
  const opened = (slot: string) => LinksLanded({ ...openLanded.data, slot });
  const payingAfter = (events: Parameters<typeof stepAt>[0], memory: object = {}) =>
    payingFor(stepOf(events, { memory }), runAllotted.data);

  test('no earlier than this process has seen them, nor than what was opened since', async () => {
    const paying = createPayingMemory(4_190n);
    const before = await payingAfter(courseTo(openLanded), { paying });
    expect([before.memory === paying, paying.slot]).toEqual([true, 4_190n]);
    await payingAfter([...courseTo(openLanded), opened('4200')], { paying });
    expect(paying.slot).toBe(4_200n);
  });

  test('at any slot where nothing needed to be opened', async () => {
    expect((await payingAfter(courseTo(runAllotted))).memory.slot).toBe(0n);
  });
});
