/** States of streams as JSON, and what differs between two of them. Pure. */
import type { JsonObject, JsonValue } from '../ports/event-store.ts';

export interface StateChange {
  /** The members that lead to it, joined by dots; empty for the whole state. */
  readonly path: string;
  /** Absent where there was nothing. */
  readonly before?: JsonValue;
  /** Absent where there is nothing any more. */
  readonly after?: JsonValue;
}

/** Maps become objects, sets lists, and whole numbers of any size text; undefined where there is no state. */
export function plainState(state: unknown): JsonValue | undefined {
  if (state === undefined || typeof state === 'function') return undefined;
  if (typeof state === 'bigint') return state.toString();
  if (state === null || typeof state === 'string' || typeof state === 'boolean') return state;
  if (typeof state === 'number') return Number.isFinite(state) ? state : String(state);
  if (state instanceof Map) {
    return plainObject([...state].map(([key, value]) => [String(key), value]));
  }
  if (Array.isArray(state) || state instanceof Set) {
    return [...state].map((each) => plainState(each) ?? null);
  }
  return plainObject(Object.entries(Object(state)));
}

function plainObject(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const plain = plainState(value);
      return plain === undefined ? [] : [[key, plain]];
    }),
  );
}

/** Objects are compared member by member, everything else as a whole. */
export function changesBetween(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
): readonly StateChange[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      changesBetween(before[key], after[key], path === '' ? key : `${path}.${key}`),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
