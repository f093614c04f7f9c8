// What is recorded about a nonce account: one draft at a time, and no value of a node that is behind.
import { describe, expect, test } from 'vitest';
import {
  decideLease,
  decideLeaseAnew,
  decideOpening,
  decideRenewal,
  decideReturn,
  isMeantLease,
} from '../../../../src/drafts/nonces/decide-nonce.ts';
import {
  hadValue,
  type NonceAccountEvent,
  NonceAccountOpened,
  type NonceAccountState,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
  nonceAccount,
} from '../../../../src/streams/nonce-account.ts';
import { addresses, ids } from '../../../support/domain-examples.ts';

const account = addresses.nonceAccount;
const [value, next] = [addresses.nonceValue, addresses.nextNonceValue];
const { transactionId, otherTransactionId } = ids;
const opened = NonceAccountOpened({ account, index: 3, value });
const leased = NonceLeased({ account, transactionId, value });
const returned = NonceReturned({ account, transactionId });
const renewed = NonceRenewed({ account, transactionId, value: next });
const own = { account, transactionId };
const other = { account, transactionId: otherTransactionId };

function given(...events: readonly NonceAccountEvent[]): NonceAccountState {
  return events.reduce(nonceAccount.evolve, nonceAccount.initial);
}

test('an account is opened once', () => {
  expect(decideOpening(given(), { account, index: 3, value })).toEqual([opened]);
  expect(decideOpening(given(opened), { account, index: 3, value: next })).toEqual([]);
});

describe('a lease', () => {
  test('is of an account that is there and free, at the value that it has', () => {
    expect(decideLease(given(opened), own)).toEqual([leased]);
    expect(decideLease(given(opened, leased, returned), other)).toEqual([
      NonceLeased({ account, transactionId: otherTransactionId, value }),
    ]);
    expect(decideLease(given(opened, leased, renewed), own)).toEqual([
      NonceLeased({ account, transactionId, value: next }),
    ]);
    expect(decideLease(given(), own)).toEqual([]);
    expect(decideLease(given(opened, leased), other)).toEqual([]);
    expect(decideLease(given(opened, leased), own)).toEqual([]);
  });

  test('is made anew by the draft that has it, and by no other', () => {
    expect(decideLeaseAnew(given(opened, leased), own)).toEqual([leased]);
    expect(decideLeaseAnew(given(opened, leased), other)).toEqual([]);
    expect(decideLeaseAnew(given(opened), own)).toEqual([]);
  });
});

describe('an account comes back', () => {
  const lease = { ...own, isMeant: true };

  test('if its last event is the very lease that is meant, or if any is meant', () => {
    const events = ['before', 'then'].map((occurredAt) => ({ metadata: { occurredAt } }));
    expect(isMeantLease('then', events)).toBe(true);
    expect(isMeantLease(undefined, events)).toBe(true);
    expect(isMeantLease('before', events)).toBe(false);
    expect(isMeantLease('then', [])).toBe(false);
  });

  test('unspent, from the draft that has it, under the lease that is meant', () => {
    expect(decideReturn(given(opened, leased), lease)).toEqual([returned]);
    expect(decideReturn(given(opened, leased), { ...lease, isMeant: false })).toEqual([]);
    expect(decideReturn(given(opened, leased), { ...lease, ...other })).toEqual([]);
    expect(decideReturn(given(opened, leased, returned), lease)).toEqual([]);
  });

  test('with a new value, from the draft that has it, under the lease that is meant', () => {
    const renewal = { ...lease, value: next };
    expect(decideRenewal(given(opened, leased), renewal)).toEqual([renewed]);
    expect(decideRenewal(given(opened, leased), { ...renewal, isMeant: false })).toEqual([]);
    expect(decideRenewal(given(opened, leased), { ...renewal, ...other })).toEqual([]);
    expect(decideRenewal(given(opened, leased, renewed), renewal)).toEqual([]);
  });

  test('never with a value that it has, or had: that comes from a node that is behind', () => {
    expect(decideRenewal(given(opened, leased), { ...lease, value })).toEqual([]);
    const again = given(opened, leased, renewed, NonceLeased({ account, transactionId, value: next }));
    expect(decideRenewal(again, { ...lease, value })).toEqual([]);
  });
});

test('an account knows the values that it had lately, and no more of them however long it is used', () => {
  const values = Array.from({ length: 100 }, (_, index) => `value-${index}`);
  const uses = values.flatMap((latest) => [leased, NonceRenewed({ account, transactionId, value: latest })]);
  const state = given(opened, ...uses);
  if (state === undefined) throw new Error('the account is there');
  expect(state.formerValues).toHaveLength(32);
  for (const lately of values.slice(-33)) expect([lately, hadValue(state, lately)]).toEqual([lately, true]);
  expect(hadValue(state, 'value-100')).toBe(false);
});
