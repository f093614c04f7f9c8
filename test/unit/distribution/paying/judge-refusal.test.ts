// Why a batch of payments failed, read from the chain's error.
import { compileVersion1Message, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyPair } from '../../../../src/chain/keys.ts';
import { payFromPot } from '../../../../src/distribution/once/meter.ts';
import { judgeRefusal } from '../../../../src/distribution/paying/replan-after.ts';

const address = (number: number) => createKeyPair(new Uint8Array(32).fill(number)).address;
const pot = { address: address(1), owner: address(2), delegate: address(3), asset: { kind: 'sol' } } as const;
const payments = [4, 5, 6].map((number) => ({ to: address(number), amount: 10n }));
const { bytes } = compileVersion1Message({
  payer: address(3),
  recentBlockhash: address(9),
  instructions: payFromPot(pot, 100n, payments),
  config: {},
});
const wire = unsignedTransaction(bytes);
const judge = (error: unknown, asset: 'sol' | 'token' = 'sol', paid = payments) =>
  judgeRefusal(JSON.stringify(error), asset, paid, wire);
const accounts = Array.from({ length: 6 }, (_, index) => index);

describe('a batch in SOL', () => {
  test('names the wallet that would lie under the rent floor by its place among the accounts', () => {
    const verdicts = accounts.map((index) => judge({ InsufficientFundsForRent: { account_index: index } }));
    const places = verdicts.flatMap((verdict) => (typeof verdict === 'object' ? [verdict.place] : []));
    expect(places.sort()).toEqual([0, 1, 2]);
    expect(verdicts.filter((verdict) => verdict === undefined)).toHaveLength(3);
  });

  test('that names nobody is halved, until one is left', () => {
    const error = { InstructionError: [0, 'ReadonlyLamportChange'] };
    expect(judge(error)).toBe('somebody');
    expect(judge(error, 'sol', payments.slice(0, 1))).toEqual({
      place: 0,
      refusal: 'read-only',
    });
  });

  test.each([
    ['less is left than the guard moves', { InstructionError: [0, { Custom: 1 }] }],
    ['the delegate is gone', { InstructionError: [0, { Custom: 4 }] }],
    ['the blockhash is unknown', 'BlockhashNotFound'],
    ['the payer has no SOL', 'InsufficientFundsForFee'],
  ])('blames no wallet where %s', (_what, error) => {
    expect(judge(error)).toBeUndefined();
  });

  test('blames the only wallet that is left, whatever the chain says of it', () => {
    const alone = (cause: unknown) => judge({ InstructionError: [0, cause] }, 'sol', payments.slice(1, 2));
    expect(alone({ Custom: 77 })).toEqual({ place: 0, refusal: 'unknown' });
    expect(alone('IllegalOwner')).toEqual({ place: 0, refusal: 'closed' });
  });
});

describe('a batch in the token', () => {
  test.each([
    [17, 'frozen'],
    [36, 'needs-memo'],
    [3, 'not-an-account-of-the-mint'],
  ])('names the wallet by the instruction: code %i', (code, refusal) => {
    const verdict = judge({ InstructionError: [2, { Custom: code }] }, 'token');
    expect(verdict).toEqual({ place: 1, refusal });
  });

  test('blames nobody for its guard, or for another tax', () => {
    expect(judge({ InstructionError: [0, { Custom: 17 }] }, 'token')).toBeUndefined();
    expect(judge({ InstructionError: [2, { Custom: 32 }] }, 'token')).toBeUndefined();
  });

  test.each([
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
  ] as const)('says what is wrong with the account: %o means %s', (cause, refusal) => {
    const place = 2;
    expect(judge({ InstructionError: [3, cause] }, 'token')).toEqual({
      place,
      refusal,
    });
  });

  test('blames nobody for an instruction that pays nobody', () => {
    expect(judge({ InstructionError: [4, 'IllegalOwner'] }, 'token')).toBeUndefined();
    expect(judge({ InstructionError: ['1', 'IllegalOwner'] }, 'token')).toBeUndefined();
  });
});

describe('an error that says nothing of a recipient blames nobody:', () => {
  test.each([
    ['no JSON', 'nonsense {'],
    ['null', 'null'],
    ['an error of an instruction without a place', '{"InstructionError":"x"}'],
  ])('%s', (_what, error) => {
    expect(judgeRefusal(error, 'sol', payments.slice(0, 1), wire)).toBeUndefined();
  });

  test('an account that the transaction does not have', () => {
    for (const index of [accounts.length + 9, '4', -1])
      expect(judge({ InsufficientFundsForRent: { account_index: index } })).toBeUndefined();
    expect(judge({ InsufficientFundsForRent: {} })).toBeUndefined();
  });

  test('a transaction that cannot be read', () => {
    const error = JSON.stringify({ InsufficientFundsForRent: { account_index: 1 } });
    expect(judgeRefusal(error, 'sol', payments, Uint8Array.of(1, 2))).toBeUndefined();
  });
});
