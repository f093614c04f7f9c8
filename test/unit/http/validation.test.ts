/** How the input of a call is read: strictly, coercing only digits in texts, and telling all that is wrong. */
import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { createInputReader } from '../../../src/http/validation.ts';
import { Rejection } from '../../../src/runtime/rejection.ts';

const schemas = {
  params: Type.Object({ id: Type.String({ maxLength: 3 }) }),
  query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1 })) }, { additionalProperties: false }),
  body: Type.Object(
    {
      name: Type.String(),
      count: Type.Integer(),
      inner: Type.Optional(Type.Array(Type.Object({ a: Type.Number() }))),
    },
    { additionalProperties: false },
  ),
};
const read = createInputReader(schemas, { bodyIsChecked: false });
const good = { params: { id: 'abc' }, query: {}, body: { name: 'x', count: 1 } };

function refusalOf(received: Parameters<typeof read>[0]): Rejection {
  try {
    read(received);
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('the input of a call', () => {
  test('is taken as it is where it is right', () => {
    expect(read(good)).toEqual(good);
  });

  test('has numbers where a query says digits and the schema integer', () => {
    expect(read({ ...good, query: { page: '7' } }).query).toEqual({ page: 7 });
  });

  test.each([
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '',
    '9'.repeat(16),
    '-0.5',
  ])('has no number in the query text %j', (page) => {
    expect(refusalOf({ ...good, query: { page } }).details?.[0]?.path).toEqual(['page']);
  });

  test('is never coerced in a body', () => {
    expect(refusalOf({ ...good, body: { name: 'x', count: '1' } }).details).toEqual([
      { path: ['count'], message: expect.any(String) },
    ]);
    expect(refusalOf({ ...good, body: { name: 1, count: 1 } }).details?.[0]?.path).toEqual(['name']);
  });

  test('is told all that is wrong with it, each place once, with its path', () => {
    const { code, details } = refusalOf({
      ...good,
      body: { count: 'x', inner: [{ a: 1 }, { a: 'b' }], 'odd/name~': 1 },
    });
    expect(code).toBe('VALIDATION_FAILED');
    expect(details?.map(({ path }) => path).sort()).toEqual([
      ['count'],
      ['inner', 1, 'a'],
      ['name'],
      ['odd/name~'],
    ]);
  });

  test('is told of twenty places at most', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, 1]));
    expect(refusalOf({ ...good, body: { ...good.body, ...many } }).details).toHaveLength(20);
  });
});

describe('a call that takes no body', () => {
  const readNothing = createInputReader({}, { bodyIsChecked: false });

  test.each([undefined, null, {}])('takes %j for none', (body) => {
    expect(readNothing({ params: {}, query: {}, body }).body).toBeUndefined();
  });

  test.each([[{ a: 1 }], [[1]], [[]], [[{}]], ['text'], [7], [true], ['']])('refuses %j', (body) => {
    expect(() => readNothing({ params: {}, query: {}, body })).toThrow(Rejection);
  });
});
