// What is recorded about a nonce account: one draft at a time, and no value of a node that is behind.
import { describe, expect, test } from 'vitest';
import {
  decideLease,
  decideLeaseAnew,
  decideOpening,
  decideRenewal,
  decideReturn,
  decideReturnAtOnce,
} from '../../../../src/drafts/nonces/decide-nonce.ts';
import {
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
  const lease = { ...own, since: 'then', lastAt: 'then' };

  test('unspent, under the very lease that is meant, or under any of the draft', () => {
    expect(decideReturn(given(opened, leased), lease)).toEqual([returned]);
    expect(decideReturn(given(opened, leased), { ...lease, since: undefined })).toEqual([returned]);
    expect(decideReturn(given(opened, leased), { ...lease, lastAt: 'later' })).toEqual([]);
    expect(decideReturn(given(opened, leased), { ...other, since: undefined, lastAt: 'then' })).toEqual([]);
    expect(decideReturn(given(opened, leased, returned), lease)).toEqual([]);
  });

  test('with a new value, under the very lease that is meant, or under any of the draft', () => {
    const renewal = { ...lease, value: next };
    expect(decideRenewal(given(opened, leased), renewal)).toEqual([renewed]);
    expect(decideRenewal(given(opened, leased), { ...renewal, since: undefined })).toEqual([renewed]);
    expect(decideRenewal(given(opened, leased), { ...renewal, lastAt: 'later' })).toEqual([]);
    expect(decideRenewal(given(opened, leased), { ...renewal, ...other })).toEqual([]);
    expect(decideRenewal(given(opened, leased, renewed), renewal)).toEqual([]);
  });

  test('never with a value that it has, or had: that comes from a node that is behind', () => {
    expect(decideRenewal(given(opened, leased), { ...lease, value })).toEqual([]);
    const again = given(opened, leased, renewed, NonceLeased({ account, transactionId, value: next }));
    expect(decideRenewal(again, { ...lease, value })).toEqual([]);
  });
});

test('a lease that did not become a draft is given back at once, unless something was recorded since: another attempt may have it', () => {
  const held = given(opened, leased);
  expect(decideReturnAtOnce(held, { ...own, isAsLeased: true })).toEqual([returned]);
  expect(decideReturnAtOnce(held, { ...own, isAsLeased: false })).toEqual([]);
  expect(decideReturnAtOnce(held, { ...other, isAsLeased: true })).toEqual([]);
  expect(decideReturnAtOnce(given(opened, leased, returned), { ...own, isAsLeased: true })).toEqual([]);
});
