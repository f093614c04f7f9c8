/** How the input of a call is read: strictly, converting only digits in texts, with all that is wrong in the answer. */
import { type TSchema, Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import type { InputSchemas, Route } from '../../../../src/kernel/runtime/define-route.ts';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';
import { checkInput, schemasOf } from '../../../../src/server/http/input-schemas.ts';

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
const good = { params: { id: 'abc' }, query: {}, body: { name: 'x', count: 1 } };

const POST: Pick<Route, 'method' | 'upload'> = { method: 'POST' };

interface Received {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** In the form that Fastify expects: null stands for no body, and the errors are returned. */
function readBy(input: InputSchemas) {
  const { params, querystring, body } = schemasOf({ input, output: Type.Object({}), route: POST });
  function reader(schema: TSchema | undefined, httpPart: string) {
    if (schema === undefined) throw new Error(`the route has no ${httpPart}`);
    const check = checkInput({ schema, httpPart, method: 'POST', url: '/' });
    return (received: unknown): unknown => {
      const result = check(received ?? null);
      if (typeof result !== 'object' || !('value' in result || 'error' in result))
        throw new Error('no result');
      if (result.error !== undefined) throw result.error;
      return result.value;
    };
  }
  const [readParams, readQuery, readBody] = [
    reader(params, 'params'),
    reader(querystring, 'querystring'),
    reader(body, 'body'),
  ];
  return (received: Received): Received => ({
    params: readParams(received.params),
    query: readQuery(received.query),
    body: readBody(received.body),
  });
}

const read = readBy(schemas);

function refusalOf(received: Received): Rejection {
  try {
    read(received);
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('the input of a call', () => {
  test('has numbers where a query says digits and the schema integer', () => {
    expect(read({ ...good, query: { page: '7' } }).query).toEqual({ page: 7 });
  });

  test.each(['1.0', '1e3', '', '9'.repeat(16), '-0.5'])('has no number in the query text %j', (page) => {
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
      ['inner', '1', 'a'],
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
  const readNothing = readBy({});

  test.each([undefined, null, {}])('takes %j for none', (body) => {
    expect(readNothing({ params: {}, query: {}, body }).body).toBeUndefined();
  });

  test.each([[{ a: 1 }], [[1]], [[]], [[{}]], ['text'], [7], [true], ['']])('refuses %j', (body) => {
    expect(() => readNothing({ params: {}, query: {}, body })).toThrow(Rejection);
  });
});

describe('a body whose fields are all optional', () => {
  const readOptional = readBy({ body: Type.Object({ name: Type.Optional(Type.String()) }) });

  test.each([undefined, null, {}])('may be left out: %j', (body) => {
    expect(readOptional({ params: {}, query: {}, body }).body).toEqual({});
  });

  test('is checked where it is sent', () => {
    expect(readOptional({ params: {}, query: {}, body: { name: 'x' } }).body).toEqual({ name: 'x' });
    expect(() => readOptional({ params: {}, query: {}, body: { name: 1 } })).toThrow(Rejection);
    expect(() => readOptional({ params: {}, query: {}, body: [] })).toThrow(Rejection);
  });
});

test('what a route has no schema for is left out, so that it changes no hash of the input', () => {
  const readNone = readBy({});
  expect(readNone({ params: { a: '1' }, query: { b: '2' }, body: undefined })).toEqual({
    params: {},
    query: {},
    body: undefined,
  });
});

test('Fastify checks no body of a GET, nor of an upload, which its route reads', () => {
  const input = { body: schemas.body };
  const output = Type.Object({});
  expect(schemasOf({ input, output, route: { method: 'GET' } })).not.toHaveProperty('body');
  const upload = { field: 'image', maximumBytes: 1 };
  expect(schemasOf({ input, output, route: { method: 'POST', upload } })).not.toHaveProperty('body');
});
