// When a subscription that has ended begins again, and what is said of it meanwhile.
import { expect, test } from 'vitest';
import { createFollowPace, followPause } from '../../../../src/adapters/eventstoredb/follow-pace.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';

function given() {
  let time = 0;
  const said: string[] = [];
  const pace = createFollowPace(
    loggerTo((message) => said.push(message)),
    () => time,
  );
  return { pace, said, passes: (milliseconds: number) => (time += milliseconds) };
}

const aborted = Object.assign(new Error('too slow'), { code: 10 });
const away = Object.assign(new Error('away'), { code: 14 });

test('pauses grow up to a second', () => {
  expect([0, 1, 2, 3, 4, 50].map(followPause)).toEqual([20, 100, 250, 500, 1_000, 1_000]);
  const { pace } = given();
  expect([1, 2, 3, 4, 5, 6].map(() => pace.failed(away, '1'))).toEqual([20, 100, 250, 500, 1_000, 1_000]);
});

test('a loss is told once, and its end once', () => {
  const { pace, said } = given();
  pace.failed(away, '1');
  pace.failed(away, '1');
  expect(pace.trouble).toBe('away');
  pace.answered();
  pace.answered();
  expect(pace.trouble).toBeUndefined();
  expect(said).toEqual(['event log subscription lost', 'event log subscription restored']);
});

test('a subscription that is dropped for being slow begins again at once, and nothing is said', () => {
  const { pace, said } = given();
  expect(pace.failed(aborted, '1')).toBe(0);
  expect(pace.failed(aborted, '2')).toBe(0);
  expect([pace.trouble, said]).toEqual([undefined, []]);
});

test('one that is dropped a second time at the same place has failed', () => {
  const { pace } = given();
  expect(pace.failed(aborted, '1')).toBe(0);
  expect(pace.failed(aborted, '1')).toBe(20);
  expect(pace.trouble).toBe('too slow');
});

test('pauses are short again after an event, or after a subscription that has lasted', () => {
  const { pace, passes } = given();
  pace.failed(away, '1');
  pace.broughtEvent();
  expect(pace.failed(away, '1')).toBe(20);
  pace.connected();
  passes(4_999);
  pace.answered();
  expect(pace.failed(away, '1')).toBe(100);
  pace.connected();
  passes(5_000);
  pace.answered();
  expect(pace.failed(away, '1')).toBe(20);
});
