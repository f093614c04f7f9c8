import { describe, expect, test } from 'vitest';
import { canRead, shapeOf, supports } from '../../../../src/kernel/ports/collection-shape.ts';

const byPaid = () => ({ values: [], place: '' });

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
  const shape = { terms: true, indexes: ['creator'], orders: ['paid'], lists: ['all'], views: ['card'] };

  test('where every name that it needs is there', () => {
    expect(supports(shape, {})).toBe(true);
    expect(supports(shape, shape)).toBe(true);
  });

  test.each([
    'indexes',
    'orders',
    'lists',
    'views',
  ] as const)('not where one of its %s is missing', (kind) => {
    expect(supports(shape, { [kind]: ['other'] })).toBe(false);
    expect(supports(shape, { [kind]: [...shape[kind], 'other'] })).toBe(false);
  });

  test('not for its order by what was stored before there were any', () => {
    const { orders: _none, ...older } = shape;
    expect(supports(older, { lists: ['all'] })).toBe(true);
    expect(supports(older, { orders: ['paid'] })).toBe(false);
  });
});

test('the shape of a collection without orders is what it was before there were any', () => {
  const collection = { name: 'tokens', version: 1 };
  expect(Object.keys(shapeOf(collection))).not.toContain('orders');
  expect(shapeOf({ ...collection, orders: { b: byPaid, a: byPaid } })).toMatchObject({ orders: ['a', 'b'] });
});
