import { describe, expect, test } from 'vitest';
import { canRead, placeBehind, placed, supports } from '../../../../src/kernel/ports/collection-shape.ts';

describe('what is live can be read', () => {
  const live = { version: 3, generation: 1 };

  test.each([
    ['the same version', 3, true],
    ['a later version', 5, true],
    ['an older version, which does not know it', 2, false],
  ])('by %s', (_who, version, expected) => {
    expect(canRead({ name: 'tokens', version }, live)).toBe(expected);
  });
});

describe('a query is supported', () => {
  const shape = { terms: true, indexes: ['creator'], lists: ['all'], views: ['card'] };

  test('where every name that it needs is there', () => {
    expect(supports(shape, {})).toBe(true);
    expect(supports(shape, shape)).toBe(true);
  });

  test.each(['indexes', 'lists', 'views'] as const)('not where one of its %s is missing', (kind) => {
    expect(supports(shape, { [kind]: ['other'] })).toBe(false);
    expect(supports(shape, { [kind]: [...shape[kind], 'other'] })).toBe(false);
  });
});

test('an index without places has one place for all, behind which a key leads', () => {
  expect(placed(['a', 'b'])).toEqual({ values: ['a', 'b'], place: '' });
  expect(placed({ values: ['a'], place: '7' })).toEqual({ values: ['a'], place: '7' });
  expect(placeBehind('k')).toEqual({ place: '', key: 'k' });
  expect(placeBehind({ place: '7' })).toEqual({ place: '7' });
  expect(placeBehind(undefined)).toBeUndefined();
});
