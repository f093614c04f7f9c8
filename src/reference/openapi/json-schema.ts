/**
 * Converts TypeBox schemas of routes to JSON Schema for OpenAPI 3.1; a schema with a title becomes a component of that
 * name.
 */
import type { TSchema } from '@sinclair/typebox';
import type { JsonObject, JsonValue } from '../../kernel/ports/event-store.ts';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { Timestamp } from '../../streams/value-types.ts';

/** Standard `format` that replaces the pattern and lengths of a text: generators would check those against the parsed value. */
const FORMAT_OF_PATTERN: ReadonlyMap<unknown, string> = new Map([
  [Uuid.pattern, 'uuid'],
  [Timestamp.pattern, 'date-time'],
]);

interface Keywords {
  readonly [keyword: string]: unknown;
}

const INT32_MAX = 2 ** 31 - 1;

export interface SchemaCollection {
  /**
   * Returns a reference if the schema has a title or gets a name, else the schema itself. Throws if the name belongs to
   * another schema.
   */
  schemaOf(schema: TSchema, name?: string): JsonObject;
  /** All named schemas so far, sorted by name. */
  components(): JsonObject;
}

/** Keywords that replace a schema's own, for limits that an operator sets. Keyed by the schema itself. */
export type ConfiguredLimits = ReadonlyMap<TSchema, JsonObject>;

export function createSchemaCollection(limits: ConfiguredLimits = new Map()): SchemaCollection {
  const named = new Map<string, JsonObject>();

  function schemaOf(found: TSchema, name?: string): JsonObject {
    const limit = limits.get(found);
    const schema = limit === undefined ? found : { ...found, ...limit };
    // Drops TypeBox's own symbols.
    const { title, ...plain }: Keywords = Object.fromEntries(Object.entries(schema));
    if (typeof title !== 'string') return name === undefined ? converted(plain) : shared(name, plain);
    // Description and default belong to the reference, not to the shared schema.
    const { description, default: preset, ...shape } = plain;
    return { ...shared(title, shape), ...membersOf({ description, default: preset }) };
  }

  function shared(name: string, schema: Keywords): JsonObject {
    const component = withEnumNames(name, converted(schema));
    const before = named.get(name);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(component)) {
      throw new Error(`two schemas of the API have the title ${name}; rename one of them`);
    }
    named.set(name, component);
    return { $ref: `#/components/schemas/${name}` };
  }

  function converted(schema: Keywords): JsonObject {
    const { anyOf, items, properties, patternProperties, ...rest } = schema;
    return {
      ...membersOf(withFormat(rest)),
      ...(Array.isArray(anyOf) ? alternatives(anyOf.map((branch: TSchema) => schemaOf(branch))) : {}),
      ...(items === undefined ? {} : itemsOf([items].flat().map((item) => schemaOf(item as TSchema)))),
      ...(properties === undefined ? {} : { properties: each(properties as Record<string, TSchema>) }),
      ...anyMembers(patternProperties as Record<string, TSchema> | undefined),
    };
  }

  /** Converts keywords; of these, only `allOf` and `additionalProperties` contain schemas. */
  function membersOf(rest: Keywords): JsonObject {
    const members = Object.entries(rest).filter(
      ([keyword, value]) => keyword !== 'additionalItems' && value !== undefined,
    );
    return Object.fromEntries(
      members.map(([keyword, value]) => {
        if (keyword === 'allOf') return [keyword, (value as TSchema[]).map((branch) => schemaOf(branch))];
        if (keyword === 'additionalProperties' && typeof value === 'object') {
          return [keyword, schemaOf(value as TSchema)];
        }
        return [keyword, value as JsonValue];
      }),
    );
  }

  function each(properties: Record<string, TSchema>): JsonObject {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaOf(schema)]));
  }

  /** Converts a TypeBox record, which has one pattern for all names. */
  function anyMembers(patterns: Record<string, TSchema> | undefined): JsonObject {
    if (patterns === undefined) return {};
    const schemas = Object.values(patterns);
    const [only] = schemas;
    if (only === undefined || schemas.length > 1)
      throw new Error('a record must have exactly one pattern for its names');
    return { additionalProperties: schemaOf(only) };
  }

  return {
    schemaOf,
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Prefixes each value with the name of its enumeration, because Go has one namespace for all constants. */
export function withEnumNames(name: string, component: JsonObject): JsonObject {
  if (!Array.isArray(component.enum)) return component;
  const constant = (text: string) =>
    text
      .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
      .replace(/[^A-Za-z0-9]/g, '_')
      .toUpperCase();
  return {
    ...component,
    'x-enum-varnames': component.enum.map((word) => `${constant(name)}_${constant(String(word))}`),
  };
}

/** Adds integer formats: typed clients use 32 bits only if `int32` is declared, and guess without a format. */
function withFormat(schema: Keywords): Keywords {
  const { type, maximum, const: only, ...rest } = schema;
  // Python clients would compare a boolean constant as text.
  if (typeof only === 'boolean') return { type, ...rest };
  if (type === 'integer')
    return { ...schema, format: typeof maximum === 'number' && maximum <= INT32_MAX ? 'int32' : 'int64' };
  const format = FORMAT_OF_PATTERN.get(schema.pattern);
  if (format === undefined) return schema;
  const { pattern: _pattern, minLength: _minLength, maxLength: _maxLength, ...others } = schema;
  return { ...others, format };
}

/**
 * Converts constants to an enumeration, and "or null" to a type list; a component or null becomes `oneOf`, which
 * generators read as nullable.
 */
function alternatives(branches: readonly JsonObject[]): JsonObject {
  const values = branches.filter((branch) => 'const' in branch);
  const nulls = branches.filter(({ type }) => type === 'null');
  const others = branches.filter((branch) => !values.includes(branch) && !nulls.includes(branch));
  const nullable = nulls.length > 0;
  if (others.length === 0) {
    const types = [...new Set(values.map(({ const: value }) => typeOf(value)))];
    const all = [...values.map(({ const: value }) => value ?? null), ...(nullable ? [null] : [])];
    return { ...typed([...types, ...(nullable ? ['null'] : [])]), enum: all };
  }
  const [only] = others;
  const type = only?.type;
  if (nullable && others.length === 1 && values.length === 0 && typeof type === 'string') {
    const { enum: listed } = only ?? {};
    return {
      ...only,
      type: [type, 'null'],
      ...(Array.isArray(listed) ? { enum: [...listed, null] } : {}),
    };
  }
  return { oneOf: [...branches] };
}

/**
 * Converts a tuple's items; its length is in other keywords. Client generators fail at `prefixItems`, and at a schema
 * that is `false`.
 */
function itemsOf([first, ...others]: readonly JsonObject[]): JsonObject {
  const alike = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  if (!alike) throw new Error('the items of a tuple must be alike');
  return { items: first ?? {} };
}

function typed(types: readonly string[]): JsonObject {
  return { type: types.length === 1 ? (types[0] ?? 'null') : [...types] };
}

function typeOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
