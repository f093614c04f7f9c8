// Whose key it is: the right name for a right key, nobody for any other.
import { describe, expect, test } from 'vitest';
import { createOperators } from '../../../../src/server/auth/operators.ts';
import { newOperatorKey, operatorEntry } from '../../../support/operator.ts';

const keyOf = (entry: string) => {
  const [name = '', sha256 = ''] = entry.split(':');
  return { name, sha256 };
};

describe('operators', () => {
  const [first, second, third] = [newOperatorKey(), newOperatorKey(), newOperatorKey()];
  const operators = createOperators(
    [operatorEntry('first', first), operatorEntry('second', second), operatorEntry('third', third)].map(
      keyOf,
    ),
  );

  test('are told apart by their keys, wherever they stand in the list', () => {
    expect([first, second, third].map(operators.verify)).toEqual(['first', 'second', 'third']);
  });

  test('are not known by anything else', () => {
    const hash = operatorEntry('', first).slice(1);
    const wrong = [
      '',
      ' ',
      'first',
      hash,
      first.toUpperCase(),
      first.slice(1),
      `${first} `,
      `${first},${second}`,
    ];
    for (const key of wrong) expect([key, operators.verify(key)]).toEqual([key, undefined]);
    expect(operators.verify('x'.repeat(100_000))).toBeUndefined();
  });

  test('need not be there at all', () => {
    expect(operators.configured).toBe(true);
    const none = createOperators([]);
    expect([none.configured, none.verify(first), none.verify('')]).toEqual([false, undefined, undefined]);
  });
});
