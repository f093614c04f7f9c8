/** Builds an example of a schema from its `examples`, or from the examples of its members. */
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import type { JsonValue } from '../../kernel/ports/event-store.ts';

export interface Example {
  readonly value: JsonValue;
  /** Paths without an example in the schema, such as `/token/name`; empty if the example is complete. */
  readonly missing: readonly string[];
}

export function exampleOf(schema: TSchema): Example {
  const missing: string[] = [];
  const value = compose(schema, '', missing);
  return { value, missing };
}

/** Uses an example of the schema itself, else its only allowed value, else examples of its members. */
function compose(schema: TSchema, path: string, missing: string[]): JsonValue {
  const own: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  if (own !== undefined) return own as JsonValue;
  if (schema.default !== undefined) return schema.default as JsonValue;
  if (TypeGuard.IsLiteral(schema)) return schema.const;
  if (TypeGuard.IsNull(schema)) return null;
  if (TypeGuard.IsBoolean(schema)) return true;
  if (TypeGuard.IsUnion(schema)) {
    const branch = schema.anyOf.find((each) => !TypeGuard.IsNull(each)) ?? null;
    return branch && compose(branch, path, missing);
  }
  if (TypeGuard.IsArray(schema)) return [compose(schema.items, `${path}/0`, missing)];
  if (TypeGuard.IsObject(schema)) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [
        name,
        compose(property, `${path}/${name}`, missing),
      ]),
    );
  }
  missing.push(path);
  return null;
}
