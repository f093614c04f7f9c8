// What payments of an open run are made with: of what is recorded, and of what the process remembers.
import { describe, expect, test } from 'vitest';
import { createPayingMemory } from '../../../../src/distribution/paying/paying.ts';
import type { PaymentBook } from '../../../../src/distribution/paying/payment-book.ts';
import { payingOf } from '../../../../src/distribution/run/paying-of.ts';
import { LinksLanded } from '../../../../src/streams/distribution.ts';
import { files, runAllotted } from '../../../support/distribution-examples.ts';
import { courseTo, only, openLanded, stepAt } from '../../../support/run-examples.ts';

const book = only<PaymentBook>('the book');
const REMEMBERED = { book: { ledger: files.ledger, book } };
const at = (events: Parameters<typeof stepAt>[0], memory: object = {}) =>
  stepAt(events, { memory: { ...REMEMBERED, ...memory } });
const opened = (slot: string) => LinksLanded({ ...openLanded.data, slot });
const payingAfter = (events: Parameters<typeof stepAt>[0], memory: object = {}) =>
  payingOf(at(events, memory), runAllotted.data);

describe('pots are looked at', () => {
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
