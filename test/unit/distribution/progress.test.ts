// What the engine reports of its tokens: also of runs that are due or requested and cannot be opened.
import { expect, test } from 'vitest';
import { progressOf } from '../../../src/distribution/distributor.ts';
import { createTimetable } from '../../../src/distribution/timetable.ts';
import { waitFor } from '../../../src/streams/distribution-wait.ts';
import { NOW } from '../../support/run-examples.ts';

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
