// One line for each cause in a minute, with how many it stands for.
import { expect, test } from 'vitest';
import { createWaitsLog, progressOf, waitOfError } from '../../../src/distribution/distributor.ts';
import { LedgerInvalid, LedgerMissing } from '../../../src/distribution/ledger/read-range.ts';
import { createTimetable } from '../../../src/distribution/timetable.ts';
import { ChainAnswerInvalid, ChainBusy, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { CollectionNotLive } from '../../../src/kernel/ports/read-model.ts';
import { Rejection } from '../../../src/kernel/runtime/rejection.ts';
import { waitFor } from '../../../src/streams/distribution-wait.ts';
import { NOW } from '../../support/run-examples.ts';

function logged() {
  const lines: object[] = [];
  const log = createWaitsLog(loggerTo((message, fields) => lines.push({ message, ...fields })));
  return { log, lines };
}

const WAITS = 'distribution waits';

test('the first line of a cause is logged at once, and those of its minute after it as one, with their number', () => {
  const { log, lines } = logged();
  for (let n = 0; n < 5_000; n += 1) log.warn(WAITS, { tokenId: `${n}`, code: 'chain-unavailable' }, 1_000);
  log.flush(60_999);
  expect(lines).toEqual([{ message: WAITS, tokenId: '0', code: 'chain-unavailable' }]);
  log.flush(61_000);
  expect(lines.slice(1)).toEqual([
    { message: WAITS, tokenId: '4999', code: 'chain-unavailable', count: 4_999 },
  ]);
  log.warn(WAITS, { tokenId: 'again', code: 'chain-unavailable' }, 62_000);
  log.flush(120_999);
  expect(lines).toHaveLength(2);
  log.flush(121_000);
  // One alone is as it was given.
  expect(lines.slice(2)).toEqual([{ message: WAITS, tokenId: 'again', code: 'chain-unavailable' }]);
});

test('another code, and the end of a wait, are other causes', () => {
  const { log, lines } = logged();
  log.warn(WAITS, { tokenId: 'a', code: 'chain-unavailable' }, 0);
  log.warn(WAITS, { tokenId: 'b', code: 'unconfirmed' }, 0);
  log.warn('distribution goes on', { tokenId: 'a', code: 'chain-unavailable' }, 0);
  expect(lines).toHaveLength(3);
});

test('a cause that was quiet for a minute is logged at once again', () => {
  const { log, lines } = logged();
  for (const minute of [0, 60_000, 120_000]) {
    log.flush(minute);
    log.warn(WAITS, { tokenId: 'a', code: 'halted' }, minute);
  }
  expect(lines).toHaveLength(3);
});

test('what was held back is logged at the end, and when the clock was set back', () => {
  const { log, lines } = logged();
  for (const tokenId of ['a', 'b']) log.warn(WAITS, { tokenId, code: 'halted' }, 100_000);
  log.flush(0);
  expect(lines).toHaveLength(2);
  log.warn(WAITS, { tokenId: 'c', code: 'halted' }, 1);
  log.end();
  log.end();
  expect(lines.map((line) => Reflect.get(line, 'tokenId'))).toEqual(['a', 'b', 'c']);
});

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

test('runs that cannot be opened are reported with what they wait for, the oldest first, a hundred at most', () => {
  const timetable = createTimetable();
  const parts = {
    clock: { now: () => NOW },
    suitability: { unsuitable: () => undefined, look: async () => undefined },
  };
  const since = (minute: number) => `2026-05-04T10:${String(minute).padStart(2, '0')}:00.000Z`;
  const inStep = (tokenId: string, step: 'consider' | 'pay', minute: number) => {
    const waitingFor = { ...waitFor('unconfirmed'), since: since(minute) };
    timetable.schedule(tokenId, 0).progress = { step, since: since(minute), waitingFor };
    return { tokenId, since: since(minute), waitingFor };
  };
  const [late, early] = [inStep('late', 'consider', 20), inStep('early', 'consider', 10)];
  inStep('paying', 'pay', 1);
  timetable.schedule('idle', 0);
  const { opening } = progressOf(timetable, parts, () => undefined);
  expect(opening()).toEqual([early, late]);
  for (let token = 0; token < 200; token++) inStep(`token ${token}`, 'consider', 30);
  expect(opening()).toHaveLength(100);
  expect(opening().slice(0, 2)).toEqual([early, late]);
});

test('a look at the holders that a call keeps from ending is reported too', () => {
  const timetable = createTimetable();
  const entry = timetable.schedule('token', 0);
  entry.isBusy = true;
  entry.busySince = NOW.getTime() - 3_600_000;
  const { opening } = progressOf(
    timetable,
    { clock: { now: () => NOW }, suitability: { unsuitable: () => undefined, look: async () => undefined } },
    () => undefined,
  );
  expect(opening()).toMatchObject([{ tokenId: 'token', waitingFor: { code: 'unexpected-error' } }]);
});

test('a token that waits has the number of its failed attempts and the time of the next, which is unknown during an attempt', () => {
  const timetable = createTimetable();
  const entry = timetable.schedule('token', NOW.getTime() + 8_000);
  const since = NOW.toISOString();
  entry.progress = { step: 'pay', since, waitingFor: { ...waitFor('chain-unavailable'), since } };
  entry.failures = 5;
  const parts = {
    clock: { now: () => NOW },
    suitability: { unsuitable: () => undefined, look: async () => undefined },
  };
  const { of } = progressOf(timetable, parts, () => undefined);
  const nextAt = new Date(NOW.getTime() + 8_000).toISOString();
  expect(of('token')).toMatchObject({ step: 'pay', retries: { failed: 5, nextAt } });
  entry.isBusy = true;
  entry.busySince = NOW.getTime();
  expect(of('token')?.retries).toEqual({ failed: 5, nextAt: undefined });
});
