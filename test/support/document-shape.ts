/** The shape of documents: which members they have, and of which JSON types. */
import type { JsonObject, JsonValue } from '../../src/kernel/ports/event-store.ts';

/** By path, such as `entries[].token.name`, the types that were seen there; a path ends in `?` where it may be absent. */
export type DocumentShape = { readonly [path: string]: string };

export function shapeOfDocuments(documents: readonly JsonObject[]): DocumentShape {
  const types = new Map<string, Set<string>>();
  const objects = new Map<string, number>();
  const holders = new Map<string, { readonly holder: string; times: number }>();

  function look(path: string, value: JsonValue): void {
    types.set(path, (types.get(path) ?? new Set()).add(typeOf(value)));
    if (Array.isArray(value)) for (const item of value) look(`${path}[]`, item);
    if (!isObject(value)) return;
    objects.set(path, (objects.get(path) ?? 0) + 1);
    for (const [name, member] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`;
      const held = holders.get(inner) ?? { holder: path, times: 0 };
      holders.set(inner, { ...held, times: held.times + 1 });
      look(inner, member);
    }
  }

  for (const document of documents) look('', document);
  const paths = [...types.keys()].filter((path) => path !== '').sort();
  return Object.fromEntries(
    paths.map((path) => {
      const held = holders.get(path);
      const isOptional = held !== undefined && held.times < (objects.get(held.holder) ?? 0);
      return [isOptional ? `${path}?` : path, [...(types.get(path) ?? [])].sort().join(' | ')];
    }),
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
