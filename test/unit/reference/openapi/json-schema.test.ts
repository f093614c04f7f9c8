import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { Uuid } from '../../../../src/kernel/runtime/ids.ts';
import { exampleOf } from '../../../../src/reference/openapi/example-of.ts';
import { createSchemaCollection } from '../../../../src/reference/openapi/json-schema.ts';
import { Address, DistributionInterval, Timestamp } from '../../../../src/streams/value-types.ts';

const schemaOf = (schema: Parameters<ReturnType<typeof createSchemaCollection>['schemaOf']>[0]) =>
  createSchemaCollection().schemaOf(schema);

describe('a schema of a route as JSON Schema', () => {
  test('constants are an enumeration', () => {
    const schemas = createSchemaCollection();
    expect(schemas.schemaOf(DistributionInterval)).toEqual({
      $ref: '#/components/schemas/DistributionInterval',
    });
    expect(schemas.components().DistributionInterval).toEqual({
      type: 'string',
      enum: ['5m', '10m', '15m', '30m', '1h', '6h', '12h', '24h'],
      'x-enum-varnames': ['5M', '10M', '15M', '30M', '1H', '6H', '12H', '24H'].map(
        (length) => `DISTRIBUTION_INTERVAL_${length}`,
      ),
    });
    expect(schemaOf(Type.Union([Type.Literal('a'), Type.Null()]))).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
  });

  test('records, tuples and lists are written as generators of clients read them', () => {
    expect(schemaOf(Type.Record(Type.String(), Type.Integer()))).toEqual({
      type: 'object',
      additionalProperties: { type: 'integer', format: 'int64' },
    });
    expect(schemaOf(Type.Tuple([Type.String(), Type.String()]))).toEqual({
      type: 'array',
      items: { type: 'string' },
      minItems: 2,
      maxItems: 2,
    });
    expect(schemaOf(Type.Array(Type.String()))).toEqual({ type: 'array', items: { type: 'string' } });
  });
});

describe('a schema with a title', () => {
  const Card = Type.Object({ name: Type.String() }, { title: 'Card' });

  test('keeps what is said of it in one place only there', () => {
    const schemas = createSchemaCollection();
    const here = Type.Optional(
      Type.Object(Card.properties, { title: 'Card', description: 'The first one.' }),
    );
    expect(schemas.schemaOf(here)).toEqual({
      $ref: '#/components/schemas/Card',
      description: 'The first one.',
    });
    expect(schemas.schemaOf(Card)).toEqual({ $ref: '#/components/schemas/Card' });
  });

  test('shares its name with no other', () => {
    const schemas = createSchemaCollection();
    schemas.schemaOf(Card);
    const other = Type.Object({ suit: Type.String() }, { title: 'Card' });
    expect(() => schemas.schemaOf(other)).toThrow('two schemas of the API have the title Card');
  });
});

describe('an example', () => {
  test('is made of the examples of its members', () => {
    const schema = Type.Object({
      address: Address,
      isOpen: Type.Boolean(),
      page: Type.Integer({ default: 1 }),
      state: Type.Union([Type.Literal('open'), Type.Literal('over')]),
      closedAt: Type.Union([Timestamp, Type.Null()]),
      ids: Type.Array(Uuid),
    });
    expect(exampleOf(schema)).toEqual({
      value: {
        address: Address.examples[0],
        isOpen: true,
        page: 1,
        state: 'open',
        closedAt: Timestamp.examples[0],
        ids: [Uuid.examples[0]],
      },
      missing: [],
    });
  });

  test('of the whole comes before those of its members', () => {
    const schema = Type.Object({ name: Type.String({ examples: ['a'] }) }, { examples: [{ name: 'b' }] });
    expect(exampleOf(schema).value).toEqual({ name: 'b' });
  });

  test('says what it lacks', () => {
    const schema = Type.Object({ tokens: Type.Array(Type.Object({ name: Type.String(), id: Uuid })) });
    expect(exampleOf(schema).missing).toEqual(['/tokens/0/name']);
    expect(exampleOf(Type.String()).missing).toEqual(['']);
  });
});
