/** Rules of a JSON schema without its descriptions, in a form independent of order. */
import type { JsonValue } from '../../src/kernel/ports/event-store.ts';

const FOR_READERS = ['title', 'description', 'examples'];

export function schemaRulesOf(schema: unknown): JsonValue {
  // Schema as it is sent; TypeBox also marks its schemas with symbols.
  return rulesOf(JSON.parse(JSON.stringify(schema)));
}

function rulesOf(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(rulesOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const rules = Object.entries(schema).filter(([key]) => !FOR_READERS.includes(key));
  return Object.fromEntries(
    rules.map(([key, value]) => {
      if (key === 'required' && Array.isArray(value)) return [key, value.toSorted()];
      return [key, key === 'properties' ? sortedMembers(value) : rulesOf(value)];
    }),
  );
}

/** Names of properties, which may be called anything. */
function sortedMembers(properties: JsonValue): JsonValue {
  const members: readonly [string, JsonValue][] = Object.entries(Object(properties));
  return Object.fromEntries(
    members
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, schema]) => [name, rulesOf(schema)]),
  );
}
