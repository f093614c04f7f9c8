/** JSON as a node writes it: 64-bit integers stay plain numbers, and text that is already JSON is written unchanged. */

/** Text that is already JSON, such as a transaction's stored meta data. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Leaves out properties that are undefined. Does not use JSON.stringify, which refuses bigint. */
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
  if (isList(value)) return `[${value.map(encodeJson).join(',')}]`;
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${encodeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
