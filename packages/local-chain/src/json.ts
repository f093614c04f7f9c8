/** JSON encoder like a node's: 64-bit integers stay plain numbers, and text that is already JSON is written unchanged. */

const ITEMS_PER_CHUNK = 250;

/** Text that is already JSON, such as a transaction's stored meta data. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** List of any length with items that are already JSON; written in pieces, never as one string. */
export class LongList {
  readonly items: readonly string[];
  constructor(items: readonly string[]) {
    this.items = items;
  }
}

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | LongList
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Omits undefined properties. Does not use JSON.stringify, which refuses bigint. */
export function encodeJson(value: Json): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'bigint':
    case 'boolean':
      return String(value);
  }
  if (value instanceof RawJson) return value.text;
  if (value instanceof LongList) return `[${value.items.join(',')}]`;
  if (isList(value)) return `[${value.map(encodeJson).join(',')}]`;
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${encodeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** Yields the same text in pieces. They are short if long parts are `LongList`s in objects. */
export function* jsonChunks(value: Json): Generator<string> {
  if (value instanceof LongList) {
    yield '[';
    for (let from = 0; from < value.items.length; from += ITEMS_PER_CHUNK) {
      const items = value.items.slice(from, from + ITEMS_PER_CHUNK).join(',');
      yield from === 0 ? items : `,${items}`;
    }
    yield ']';
  } else if (isObject(value)) {
    let opening = '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${opening}${JSON.stringify(key)}:`;
      yield* jsonChunks(member);
      opening = ',';
    }
    yield opening === '{' ? '{}' : '}';
  } else {
    yield encodeJson(value);
  }
}

function isObject(value: Json): value is { readonly [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !(value instanceof RawJson) && !isList(value);
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
