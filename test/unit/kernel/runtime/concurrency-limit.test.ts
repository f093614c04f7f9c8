// Places for the work of callers: bounded in all and by source, and free again when the work ends.
import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../../../src/kernel/runtime/concurrency-limit.ts';

const open = (maximum: number, perSource: number) =>
  createConcurrencyLimit({
    maximum,
    perSource,
    full: () => new Error('full'),
    tooMany: () => new Error('too many'),
  });

const network = (name: string, times = 1) => ({ name, times });
const only = (name: string) => [network(name)];

test('a source gets no more places than it may have, however many are free', () => {
  const { take } = open(10, 2);
  const leave = take(only('one'));
  take(only('one'));
  expect(() => take(only('one'))).toThrow('too many');
  take(only('other'));
  leave();
  take(only('one'));
  expect(() => take(only('one'))).toThrow('too many');
});

test('all sources together get no more than there are', () => {
  const { take } = open(3, 2);
  const [leave] = ['one', 'two', 'three'].map((name) => take(only(name)));
  expect(() => take(only('four'))).toThrow('full');
  leave?.();
  take(only('four'));
  expect(() => take(only('five'))).toThrow('full');
});

test('a wider network has more places than a narrow one, and takes at most half while others want some', () => {
  const { take } = open(8, 2);
  const from = (house: number) => take([network(`house ${house}`), network('street', 3), network('town', 9)]);
  for (const house of [1, 1, 2, 3]) from(house);
  expect(() => from(1)).toThrow('too many');
  // Half is taken, and the town holds the most.
  expect(() => from(4)).toThrow('full');
  take(only('elsewhere'));
  const leave = take(only('far away'));
  expect(() => take(only('elsewhere'))).not.toThrow();
  leave();
  expect(() => from(4)).toThrow('full');
  take(only('far away'));
});
