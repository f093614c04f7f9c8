// Whose key it is: the right name for a right key, nobody for any other.
import { describe, expect, test } from 'vitest';
import { createHolderOf } from '../../../../src/server/auth/key-holders.ts';
import { newOperatorKey, operatorEntry } from '../../../support/operator.ts';

const keyOf = (entry: string) => {
  const [name = '', sha256 = ''] = entry.split(':');
  return { name, sha256 };
};

describe('operators', () => {
  const [first, second, third] = [newOperatorKey(), newOperatorKey(), newOperatorKey()];
  const holderOf = createHolderOf(
    [operatorEntry('first', first), operatorEntry('second', second), operatorEntry('third', third)].map(
      keyOf,
    ),
  );

  test('are told apart by their keys, wherever they stand in the list', () => {
    expect([first, second, third].map((key) => holderOf(key)?.name)).toEqual(['first', 'second', 'third']);
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
    for (const key of wrong) expect([key, holderOf(key)]).toEqual([key, undefined]);
    expect(holderOf('x'.repeat(100_000))).toBeUndefined();
  });

  test('need not be there at all', () => {
    expect([first, ''].map(createHolderOf([]))).toEqual([undefined, undefined]);
  });
});
