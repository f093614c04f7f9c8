/** What a JSON schema demands, without what it says to readers, in a form in which order plays no part. */
import type { JsonValue } from '../../src/kernel/ports/event-store.ts';

const FOR_READERS = ['title', 'description', 'examples'];

export function schemaRulesOf(schema: unknown): JsonValue {
  // As it is sent: TypeBox marks its schemas with symbols, too.
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
