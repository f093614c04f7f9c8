import { describe, expect, test } from 'vitest';
import { type Result, requireSomeSuccess } from '../../../../src/drafts/settling/followed-draft.ts';
import { causeOf } from '../../../../src/runtime/execute.ts';

const FIRST = { transactionId: 'first' };
const SECOND = {
  transactionId: 'second',
  cause: causeOf('settler', { correlationId: 'request', causationId: 'event' }),
};
const good = (followed: Result['followed']): Result => ({ followed });
const bad = (followed: Result['followed']): Result => ({ followed, reason: new Error('it fails') });

describe('what several drafts came to', () => {
  const told: object[] = [];
  const report = (message: string, details: object) => void told.push({ message, ...details });

  test('is not worth a word when all went well, or there were none', () => {
    requireSomeSuccess([], report);
    requireSomeSuccess([good(FIRST), good(SECOND)], report);
    expect(told).toEqual([]);
  });

  test('is told when some failed, with the draft and the request that it is about', () => {
    requireSomeSuccess([good(FIRST), bad(SECOND)], report);
    expect(told).toEqual([
      {
        message: 'some submissions could not be looked after',
        count: 1,
        error: 'Error: it fails',
        transactionId: 'second',
        correlationId: 'request',
      },
    ]);
  });

  test('is thrown when all failed: then it is not the drafts that are at fault', () => {
    expect(() => requireSomeSuccess([bad(FIRST), bad(SECOND)], report)).toThrow('it fails');
  });
});
