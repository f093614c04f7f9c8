// Why a batch of payments failed, read from the chain's error.
import { compileVersion1Message, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyPair } from '../../../../src/chain/keys.ts';
import { payFromPot } from '../../../../src/distribution/once/meter.ts';
import { judgeRefusal } from '../../../../src/distribution/paying/judge-refusal.ts';

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
    const places = verdicts.flatMap((verdict) => (verdict.outcome === 'recipient' ? [verdict.place] : []));
    expect(places.sort()).toEqual([0, 1, 2]);
    expect(verdicts.filter(({ outcome }) => outcome === 'not-a-recipient')).toHaveLength(3);
  });

  test('that names nobody is halved, until one is left', () => {
    const error = { InstructionError: [0, 'ReadonlyLamportChange'] };
    expect(judge(error)).toEqual({ outcome: 'somebody' });
    expect(judge(error, 'sol', payments.slice(0, 1))).toEqual({
      outcome: 'recipient',
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
    expect(judge(error)).toEqual({ outcome: 'not-a-recipient' });
  });
});

describe('a batch in the token', () => {
  test.each([
    [17, 'frozen'],
    [36, 'needs-memo'],
    [3, 'not-an-account-of-the-mint'],
  ])('names the wallet by the instruction: code %i', (code, refusal) => {
    const verdict = judge({ InstructionError: [2, { Custom: code }] }, 'token');
    expect(verdict).toEqual({ outcome: 'recipient', place: 1, refusal });
  });

  test('blames nobody for its guard, or for another tax', () => {
    expect(judge({ InstructionError: [0, { Custom: 17 }] }, 'token').outcome).toBe('not-a-recipient');
    expect(judge({ InstructionError: [2, { Custom: 32 }] }, 'token').outcome).toBe('not-a-recipient');
  });
});
