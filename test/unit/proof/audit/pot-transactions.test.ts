// What of a transaction pays out of a pot, what its guard says, and whose signature is ours.
import { describe, expect, test } from 'vitest';
import type { Action } from '../../../../src/proof/audit/decode-actions.ts';
import { createPaidPlaces, paidPlaces } from '../../../../src/proof/audit/paid-places.ts';
import { guardOf, isSignedFor, paidBy } from '../../../../src/proof/audit/pot-transactions.ts';

const token = { wallet: 'wallet' };
const pot = { asset: 'sol', address: 'pot', delegate: 'key', allowance: 500n } as const;
const past = (...actions: readonly Action[]) => ({
  signature: 'one',
  slot: 1,
  payer: 'payer',
  signers: ['payer'],
  actions,
});
const move = (from: string, to: string, amount: bigint, authority: string): Action => ({
  kind: 'move',
  from,
  to,
  authority,
  amount,
  fee: undefined,
});
const unwrap = (to: string, amount: bigint | undefined, authority = 'key'): Action => ({
  kind: 'unwrap',
  from: 'pot',
  to,
  authority,
  amount,
});

describe('what is paid out of a pot', () => {
  test('is what its key moves or unwraps to somebody else, and all of it where no amount is named', () => {
    const paid = paidBy(
      past(
        move('pot', 'pot', 300n, 'key'),
        move('pot', 'one', 1n, 'key'),
        unwrap('two', 2n),
        unwrap('three', undefined),
        move('elsewhere', 'four', 4n, 'key'),
        { kind: 'close', account: 'pot', to: 'six', authority: 'key' },
      ),
      pot,
    );
    expect(paid).toEqual([
      { to: 'one', amount: 1n },
      { to: 'two', amount: 2n },
      { to: 'three', amount: 500n },
    ]);
  });

  test("is also what the wallet or anybody else takes out of a pot of SOL, and not what they take out of the token's account", () => {
    const taken = past(move('pot', 'one', 7n, 'wallet'), unwrap('two', 8n, 'stranger'));
    expect(paidBy(taken, pot)).toEqual([
      { to: 'one', amount: 7n },
      { to: 'two', amount: 8n },
    ]);
    expect(paidBy(taken, { ...pot, asset: 'token' })).toEqual([]);
  });
});

test('the guard of a pot is the move of its key from the pot to itself, and nothing like it', () => {
  const likes = [
    unwrap('pot', 1n),
    move('pot', 'one', 2n, 'key'),
    move('elsewhere', 'pot', 3n, 'key'),
    move('pot', 'pot', 4n, 'wallet'),
  ];
  expect(guardOf(past(...likes), pot)).toBeUndefined();
  expect(guardOf(past(...likes, move('pot', 'pot', 5n, 'key'), move('pot', 'pot', 6n, 'key')), pot)).toBe(5n);
});

test('a transaction is ours where the wallet or the key of the pot signed it', () => {
  const signedBy = (...signers: readonly string[]) => isSignedFor({ ...past(), signers }, token, pot);
  expect([signedBy('wallet'), signedBy('payer', 'key'), signedBy('payer'), signedBy()]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('each record of a run is paid once, however many there are', () => {
  const places = createPaidPlaces();
  const records = [0, 7, 8, 8_191, 8_192, 8_193, 16_384, 1_000_000];
  for (const record of records) {
    expect(places.has(record)).toBe(false);
    expect(places.add(record)).toBe(true);
  }
  for (const record of records) expect([places.has(record), places.add(record)]).toEqual([true, false]);
  for (const record of [1, 9, 8_190, 8_200, 999_999, 2_000_000]) expect(places.has(record)).toBe(false);
  const batch = { pot: 'pot', signature: 'one', payments: [{ record: 3, amount: 1n }] };
  const paid = paidPlaces([batch, { ...batch, payments: [{ record: 9, amount: 1n }] }]);
  expect([3, 9, 4].map((record) => paid.has(record))).toEqual([true, true, false]);
});
