import { describe, expect, test } from 'vitest';
import { isSameAppend } from '../../../../src/adapters/sqlite/append-events.ts';

describe('an append is a repetition', () => {
  test('when its ids, and no others, stand where it would append', () => {
    const found = [['a', 4] as const, ['b', 5] as const];
    expect(isSameAppend(found, ['a', 'b'])).toBe(true);
  });

  test.each([
    ['one of its events is not there', [['a', 4] as const]],
    ['another event stands among them', [['a', 4] as const, ['other', 5] as const]],
    ['they stand in another order', [['b', 4] as const, ['a', 5] as const]],
    ['nothing is there', []],
  ])('not when %s', (_case, found) => {
    expect(isSameAppend(found, ['a', 'b'])).toBe(false);
  });
});
