// Places for the work of callers: bounded in all and by source, and free again when the work ends.
import { expect, test } from 'vitest';
import { createPlaces } from '../../../../src/kernel/runtime/places.ts';

const open = (maximum: number, perSource: number) =>
  createPlaces({
    maximum,
    perSource,
    full: () => new Error('full'),
    tooMany: () => new Error('too many'),
  });

test('a source gets no more places than it may have, however many are free', () => {
  const { take } = open(10, 2);
  const leave = take('one');
  take('one');
  expect(() => take('one')).toThrow('too many');
  take('other');
  leave();
  take('one');
  expect(() => take('one')).toThrow('too many');
});

test('all sources together get no more than there are', () => {
  const { take } = open(3, 2);
  const [leave] = ['one', 'two', 'three'].map(take);
  expect(() => take('four')).toThrow('full');
  leave?.();
  take('four');
  expect(() => take('five')).toThrow('full');
});
