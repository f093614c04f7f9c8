// A store that does not answer is asked again until the outcome of an append is known, and then no more.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AppendResult, EventToAppend } from '../../../../src/kernel/ports/event-store.ts';
import { appendSurely, readFrom, storeUnavailable } from '../../../../src/kernel/runtime/store-calls.ts';

const APPENDED: AppendResult = { outcome: 'appended', revision: 0, position: '1' };
const EVENTS: EventToAppend[] = [{ id: 'id', type: 'Counted', data: {}, metadata: {} }];
const unavailable = { code: 'STORE_UNAVAILABLE', kind: 'unavailable', retryAfterSeconds: 2 };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Answers with these, one after another; `milliseconds` pass at each call. */
function answering(answers: readonly (AppendResult | Error)[], milliseconds = 0) {
  const calls: unknown[][] = [];
  let now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const append = async (...call: unknown[]) => {
    const answer = answers[calls.length];
    calls.push(call);
    now += milliseconds;
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  return { calls, run: () => appendSurely({ append }, 'counter-a', 'none', EVENTS) };
}

describe('an append', () => {
  test('that is answered is called once', async () => {
    const { calls, run } = answering([APPENDED]);
    expect(await run()).toBe(APPENDED);
    expect(calls).toEqual([['counter-a', 'none', EVENTS]]);
  });

  test('that conflicts is answered, and not repeated', async () => {
    const conflict: AppendResult = { outcome: 'conflict', actual: 3 };
    const { calls, run } = answering([conflict]);
    expect(await run()).toBe(conflict);
    expect(calls).toHaveLength(1);
  });

  test('without an answer is repeated as it was, up to three times', async () => {
    const lost = new Error('connection lost');
    const { calls, run } = answering([lost, lost, APPENDED]);
    expect(await run()).toBe(APPENDED);
    expect(calls).toEqual(Array(3).fill(['counter-a', 'none', EVENTS]));
    const silent = answering([lost, lost, lost, APPENDED]);
    await expect(silent.run()).rejects.toMatchObject({ ...unavailable, cause: lost });
    expect(silent.calls).toHaveLength(3);
  });

  test.each([
    [5_000, 1],
    [4_999, 2],
  ])('without an answer for %i milliseconds is called %i times: the store has retries of its own', async (milliseconds, times) => {
    const lost = new Error('connection lost');
    const { calls, run } = answering([lost, lost, lost], milliseconds);
    await expect(run()).rejects.toMatchObject(unavailable);
    expect(calls).toHaveLength(times);
  });

  test('that is malformed would be so again: it is not repeated', async () => {
    const malformed = new TypeError('no stream');
    const { calls, run } = answering([malformed, APPENDED]);
    await expect(run()).rejects.toBe(malformed);
    expect(calls).toHaveLength(1);
  });
});

describe('a read', () => {
  test('gives all events from the revision on', async () => {
    const asked: unknown[] = [];
    const read = async function* (...call: unknown[]) {
      asked.push(call);
      yield { ...EVENTS[0], stream: 'counter-a', revision: 2, position: '3' } as never;
    };
    expect(await readFrom({ read }, 'counter-a', 2)).toMatchObject([{ revision: 2 }]);
    expect(asked).toEqual([['counter-a', 2]]);
  });

  test('of a store that does not answer says so, with the cause', async () => {
    const lost = new Error('connection lost');
    const read = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(lost) }),
    });
    await expect(readFrom({ read }, 'counter-a')).rejects.toMatchObject({ ...unavailable, cause: lost });
  });
});

test('whoever is told that the store is away may try again', () => {
  expect(storeUnavailable(undefined)).toMatchObject(unavailable);
});
