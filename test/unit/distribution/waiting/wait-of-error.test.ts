/** Errors of a step as what it waits for: each that is foreseen has its code, and what was said is kept word for word. */
import { expect, test } from 'vitest';
import { waitOfError } from '../../../../src/distribution/distributor.ts';
import { LedgerInvalid, LedgerMissing } from '../../../../src/distribution/ledger/read-range.ts';
import { ChainAnswerInvalid, ChainBusy, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import { CollectionNotLive } from '../../../../src/kernel/ports/read-model.ts';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';

const diskError = Object.assign(new Error('EIO: i/o error, read'), {
  syscall: 'read',
  path: '/data/ledgers/x',
});

test.each([
  [new ChainUnavailable('fetch failed'), 'chain-unavailable'],
  [new ChainBusy('429'), 'chain-unavailable'],
  [new ChainAnswerInvalid('no mint'), 'chain-unavailable'],
  [new LedgerMissing('ab'), 'record-unreadable'],
  [new LedgerInvalid('cut off'), 'record-unreadable'],
  [new StoreUnavailable('no server'), 'store-unavailable'],
  [new CollectionNotLive('distributions'), 'store-unavailable'],
  [diskError, 'store-unavailable'],
  [
    new Rejection('STORE_UNAVAILABLE', 'unavailable', 'The event store does not answer.'),
    'store-unavailable',
  ],
  [new Rejection('CONCURRENT_CHANGE', 'conflict', 'Somebody was first.'), 'store-unavailable'],
  [new Rejection('TOKEN_NOT_FOUND', 'not-found', 'Token not found.'), 'unexpected-error'],
  [new TypeError('x is not a function'), 'unexpected-error'],
])('%s is %s', (error, code) => {
  expect(waitOfError(error)).toMatchObject({ code, error: error.message });
});

test('what is thrown and is no error is kept as text', () => {
  expect(waitOfError('no')).toMatchObject({ code: 'unexpected-error', error: 'no' });
});
