// A batch that the chain refuses because of a recipient is planned anew at the same value, without that one; and whom the chain's
// error blames.
import { compileVersion1Message, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { payFromPot } from '../../../../src/distribution/once/meter.ts';
import type { PaymentBook } from '../../../../src/distribution/paying/payment-book.ts';
import { replanBatch } from '../../../../src/distribution/paying/replan-batch.ts';
import type { RewardAsset } from '../../../../src/streams/distribution.ts';
import type { PlannedBatch, Refusal } from '../../../../src/streams/distribution-run.ts';
import { solPot } from '../../../support/distribution-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import { bookOfPayments, only } from '../../../support/run-examples.ts';

const FROZEN = { Custom: 17 };
const failing = (instruction: number, cause: unknown) =>
  JSON.stringify({ InstructionError: [instruction, cause] });
const paymentTo = (number: number) => ({ to: keyOf(4_000 + number).address, amount: 10n });

describe('a refused batch', () => {
  const plan: PlannedBatch = { pot: 0, value: '900', from: 0, to: 4, without: [1] };
  const SOMEBODY = failing(0, 'InvalidAccountData');

  function replan(
    error: string,
    asset: RewardAsset,
    batch: PlannedBatch,
    refused: { [key: string]: Refusal },
  ) {
    const book = only<PaymentBook>('the book', bookOfPayments(paymentTo));
    const planned = { ...solPot, asset, from: 0, to: 6 } as const;
    const failed = { plan: batch, error, wire: new Uint8Array() };
    return replanBatch({ book, state: { refused } }, { index: 0, planned }, failed, { sol: 3, token: 3 });
  }

  test.each<
    readonly [
      what: string,
      error: string,
      asset: RewardAsset,
      given: Partial<PlannedBatch>,
      then: Partial<PlannedBatch>,
      refused: readonly { readonly number: number; readonly refusal: Refusal }[],
    ]
  >([
    // The guard is the first instruction: the second payment is the third holder's, since the second is left out.
    [
      'is planned without whom the chain names',
      failing(2, FROZEN),
      'token',
      {},
      { without: [1, 2] },
      [{ number: 2, refusal: 'frozen' }],
    ],
    ['is halved where the chain names nobody', SOMEBODY, 'sol', {}, { to: 3 }, []],
    ['is halved to the greater half', SOMEBODY, 'sol', { to: 3, without: [] }, { to: 2 }, []],
    [
      'of two is planned for the other alone',
      failing(1, FROZEN),
      'token',
      { to: 2, without: [] },
      { without: [0] },
      [{ number: 0, refusal: 'frozen' }],
    ],
    [
      'with one recipient left goes on with those behind it',
      SOMEBODY,
      'sol',
      { to: 1, without: [] },
      { to: 5, without: [0, 1] },
      [{ number: 0, refusal: 'closed' }],
    ],
    [
      'with nobody behind it is planned without payments, which ends the pot',
      SOMEBODY,
      'sol',
      { from: 5, to: 6, without: [] },
      { without: [5] },
      [{ number: 5, refusal: 'closed' }],
    ],
    [
      'leaves out in order, whoever was refused first',
      failing(3, FROZEN),
      'token',
      { to: 12, without: [10, 11] },
      { without: [2, 10, 11] },
      [{ number: 2, refusal: 'frozen' }],
    ],
  ])('%s', (_what, error, asset, given, then, refused) => {
    const batch = { ...plan, ...given };
    const before = batch.to === 3 ? {} : { [`${asset}/1`]: 'frozen' as const };
    expect(replan(error, asset, batch, before)).toEqual({ batch: { ...batch, ...then }, refused });
  });

  test('stays as it is where no recipient is at fault', () => {
    for (const error of [failing(0, { Custom: 1 }), failing(1, { Custom: 32 }), '"InsufficientFundsForFee"'])
      for (const asset of ['sol', 'token'] as const) expect(replan(error, asset, plan, {})).toBeUndefined();
  });
});

describe('the chain’s error', () => {
  const [pot, owner, delegate, blockhash] = [1, 2, 3, 9].map((number) => keyOf(4_100 + number).address) as [
    string,
    string,
    string,
    string,
  ];
  const payments = [4, 5, 6].map(paymentTo);
  const { bytes } = compileVersion1Message({
    payer: delegate,
    recentBlockhash: blockhash,
    instructions: payFromPot({ address: pot, owner, delegate, asset: { kind: 'sol' } }, 100n, payments),
    config: {},
  });
  const wire = unsignedTransaction(bytes);
  /** Refusals of a batch of the three payments, or of the first alone; undefined where nobody is blamed. */
  const judge = (error: unknown, asset: RewardAsset = 'sol', to = 3, bytes = wire) =>
    replanBatch(
      {
        book: only<PaymentBook>(
          'the book',
          bookOfPayments((number) => paymentTo(4 + number)),
        ),
        state: { refused: {} },
      },
      { index: 0, planned: { ...solPot, asset, from: 0, to: 3 } },
      {
        plan: { pot: 0, value: '900', from: 0, to, without: [] },
        error: typeof error === 'string' ? error : JSON.stringify(error),
        wire: bytes,
      },
      { sol: 3, token: 3 },
    )?.refused;
  const underRent = (index: unknown) => ({ InsufficientFundsForRent: { account_index: index } });

  test('names the wallet that would lie under the rent floor by its place among the accounts', () => {
    const verdicts = Array.from({ length: 6 }, (_, index) => judge(underRent(index)));
    expect(verdicts.flatMap((refused) => refused?.map(({ number }) => number) ?? []).sort()).toEqual([
      0, 1, 2,
    ]);
  });

  test('blames somebody of several in SOL, and the only one that is left, whatever it says', () => {
    const alone = (cause: unknown) => judge(failing(0, cause), 'sol', 1);
    expect(judge(failing(0, 'ReadonlyLamportChange'))).toEqual([]);
    expect(alone('ReadonlyLamportChange')).toEqual([{ number: 0, refusal: 'read-only' }]);
    expect(alone({ Custom: 77 })).toEqual([{ number: 0, refusal: 'unknown' }]);
  });

  test.each([
    [{ Custom: 17 }, 'frozen'],
    [{ Custom: 36 }, 'needs-memo'],
    [{ Custom: 3 }, 'not-an-account-of-the-mint'],
    [{ Custom: 9 }, 'closed'],
    [{ Custom: 77 }, 'unknown'],
    [{ BorshIoError: 'x' }, 'unknown'],
    [null, 'unknown'],
    ['InvalidAccountData', 'closed'],
    ['InvalidAccountOwner', 'closed'],
    ['IncorrectProgramId', 'closed'],
    ['UninitializedAccount', 'closed'],
    ['IllegalOwner', 'closed'],
    ['ReadonlyLamportChange', 'read-only'],
    ['ReadonlyDataModified', 'read-only'],
    ['ExecutableLamportChange', 'read-only'],
    ['ExternalAccountLamportSpend', 'read-only'],
    ['ComputationalBudgetExceeded', 'unknown'],
  ] as const)('names the wallet of a transfer of tokens by the instruction: %o means %s', (cause, refusal) => {
    expect(judge(failing(3, cause), 'token')).toEqual([{ number: 2, refusal }]);
  });

  test.each<readonly [what: string, error: unknown, asset: RewardAsset]>([
    ['less is left than the guard moves', failing(0, { Custom: 1 }), 'sol'],
    ['the delegate is gone', failing(0, { Custom: 4 }), 'sol'],
    ['the blockhash is unknown', '"BlockhashNotFound"', 'sol'],
    ['the payer has no SOL', '"InsufficientFundsForFee"', 'sol'],
    ['the guard fails', failing(0, FROZEN), 'token'],
    ['another tax holds', failing(2, { Custom: 32 }), 'token'],
    ['the instruction pays nobody', failing(4, 'IllegalOwner'), 'token'],
    ['the instruction has no place', { InstructionError: ['1', 'IllegalOwner'] }, 'token'],
    ['the error has no place', { InstructionError: 'x' }, 'sol'],
    ['the error is no JSON', 'nonsense {', 'sol'],
    ['the error is null', 'null', 'sol'],
    ['the account is none of the transaction', underRent(15), 'sol'],
    ['the account is named by a text', underRent('4'), 'sol'],
    ['the account is before the first', underRent(-1), 'sol'],
    ['no account is named', { InsufficientFundsForRent: {} }, 'sol'],
  ])('blames nobody where %s', (_where, error, asset) => {
    expect(judge(error, asset)).toBeUndefined();
    if (asset === 'sol') expect(judge(error, asset, 1)).toBeUndefined();
  });

  test('blames nobody where the transaction cannot be read', () => {
    expect(judge(underRent(1), 'sol', 3, Uint8Array.of(1, 2))).toBeUndefined();
  });
});
