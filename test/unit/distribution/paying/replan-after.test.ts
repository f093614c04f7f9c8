// A batch that the chain refuses because of a recipient is planned anew at the same value.
import { describe, expect, test } from 'vitest';
import type { PaymentBook } from '../../../../src/distribution/paying/payment-book.ts';
import { replanAfter } from '../../../../src/distribution/paying/replan-after.ts';
import type { PlannedBatch, PlannedPot, Refusal } from '../../../../src/streams/distribution-run.ts';
import { runAllotted } from '../../../support/distribution-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import { only } from '../../../support/run-examples.ts';

const [example] = runAllotted.data.pots;
if (example === undefined) throw new Error('the example has a pot');
const potOf = (asset: PlannedPot['asset']): PlannedPot => ({ ...example, asset, from: 0, to: 6 });
const plan: PlannedBatch = { pot: 0, value: '900', from: 0, to: 4, without: [1] };
const numbersOf: PaymentBook['numbersOf'] = ({ from, to, without }) =>
  Array.from({ length: to - from }, (_, index) => from + index).filter((each) => !without.includes(each));
const book = only<PaymentBook>('the book', {
  numbersOf,
  paymentsOf: (_asset, batch) =>
    numbersOf(batch).map((number) => ({ to: keyOf(4_000 + number).address, amount: 10n })),
});
const FROZEN = '{"InstructionError":[2,{"Custom":17}]}';
const SOMEBODY = '{"InstructionError":[0,"InvalidAccountData"]}';

function replan(
  error: string,
  asset: PlannedPot['asset'],
  batch = plan,
  refused: { readonly [key: string]: Refusal } = { [`${asset}/1`]: 'frozen' },
) {
  const failed = { plan: batch, error, wire: new Uint8Array() };
  const recipients = { sol: 3, token: 3 };
  return replanAfter({ book, state: { refused } }, { index: 0, planned: potOf(asset) }, failed, recipients);
}

describe('a refused batch', () => {
  test('is planned without the recipient whom the chain names', () => {
    // The guard is the first instruction: the second payment is the third holder's, since the second is left out.
    expect(replan(FROZEN, 'token')).toEqual({
      batch: { ...plan, without: [1, 2] },
      refused: [{ number: 2, refusal: 'frozen' }],
    });
  });

  test('is halved where the chain names nobody', () => {
    expect(replan(SOMEBODY, 'sol')).toEqual({
      batch: { pot: 0, value: '900', from: 0, to: 3, without: [1] },
      refused: [],
    });
  });

  test('with one recipient left goes on with those behind it', () => {
    const last = { ...plan, to: 1, without: [] };
    expect(replan(SOMEBODY, 'sol', last)).toEqual({
      batch: { pot: 0, value: '900', from: 0, to: 5, without: [0, 1] },
      refused: [{ number: 0, refusal: 'closed' }],
    });
  });

  test('of two is planned for the other alone', () => {
    const two = { ...plan, from: 0, to: 2, without: [] };
    expect(replan('{"InstructionError":[1,{"Custom":17}]}', 'token', two)).toEqual({
      batch: { ...two, without: [0] },
      refused: [{ number: 0, refusal: 'frozen' }],
    });
  });

  test('leaves out in order, whoever was refused first', () => {
    const later = { ...plan, from: 0, to: 12, without: [10, 11] };
    expect(replan('{"InstructionError":[3,{"Custom":17}]}', 'token', later)?.batch.without).toEqual([
      2, 10, 11,
    ]);
  });

  test('is halved to the greater half, so that the last recipient is named in the end', () => {
    const three = { ...plan, from: 0, to: 3, without: [] };
    expect(replan(SOMEBODY, 'sol', three, {})).toEqual({
      batch: { pot: 0, value: '900', from: 0, to: 2, without: [] },
      refused: [],
    });
  });

  test('with nobody left behind it is recorded without payments, which ends the pot', () => {
    const last = { ...plan, from: 5, to: 6, without: [] };
    expect(replan(SOMEBODY, 'sol', last)).toEqual({
      batch: { ...last, without: [5] },
      refused: [{ number: 5, refusal: 'closed' }],
    });
  });

  test.each([
    ['the pot holds too little', '{"InstructionError":[0,{"Custom":1}]}'],
    ['another tax holds today', '{"InstructionError":[1,{"Custom":32}]}'],
    ['the payer holds too little', '"InsufficientFundsForFee"'],
  ])('stays as it is where no recipient is at fault: %s', (_why, error) => {
    expect(replan(error, 'token')).toBeUndefined();
    expect(replan(error, 'sol')).toBeUndefined();
  });
});
