// Paying: a round is recorded before anything of it is signed, and what is under way is looked at less and less often.

import { describe, expect, test } from 'vitest';
import { AGAIN } from '../../../../../src/distribution/decision.ts';
import type { PaymentBook } from '../../../../../src/distribution/paying/payment-book.ts';
import { pay } from '../../../../../src/distribution/run/steps/pay.ts';
import { distributionRun } from '../../../../../src/streams/distribution-run.ts';
import { batchesSettled, files, roundRecorded, taxSplit } from '../../../../support/distribution-examples.ts';
import {
  BOOK,
  courseTo,
  nodeShowing,
  only,
  openLanded,
  stepAt,
  viewOf,
} from '../../../../support/run-examples.ts';

const book = only<PaymentBook>('the book', BOOK);
const stepOf = (events: Parameters<typeof stepAt>[0], parts: Parameters<typeof stepAt>[1] = {}) =>
  stepAt(events, { ...parts, memory: { book: { ledger: files.ledger, book } } });

describe('of payments', () => {
  test('a plan is recorded as the next round, before anything of it is signed', async () => {
    expect(await pay(stepOf(courseTo(openLanded)))).toEqual({
      kind: 'record-of-run',
      events: [roundRecorded],
    });
  });

  test('what is settled ends its plans', () => {
    const after = distributionRun.evolve(viewOf(courseTo(roundRecorded)).run, batchesSettled);
    expect(after.pots).toEqual([{ value: '1000000', next: 3, plans: [] }]);
  });

  test('those under way are waited for, longer with each look', async () => {
    const at = stepOf(courseTo(roundRecorded), { parts: { chain: nodeShowing({}).chain } });
    for (const pause of [100, 200, 400, 400])
      expect(await pay(at)).toMatchObject({
        kind: 'wait',
        waiting: { for: { code: 'chain-unavailable' }, pause },
      });
  });

  test('none is left: the next step follows at once', async () => {
    expect(await pay(stepOf(courseTo(batchesSettled)))).toEqual(AGAIN);
  });

  test('none is looked for before there is a ledger', async () => {
    expect(await pay(stepAt(courseTo(taxSplit)))).toEqual(AGAIN);
  });
});
