/**
 * The form of an event that Levy's log commits to: the JSON of RFC 8785 (JCS), which every program writes alike. It knows no
 * schema, so an event that a release cannot decode has its entry too.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from './bytes.ts';

export interface Recordable {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly data: { readonly [name: string]: unknown };
  readonly metadata: { readonly [name: string]: unknown };
  /** The stored bytes of data or metadata that cannot be read. */
  readonly raw?: { readonly data: string; readonly metadata: string } | undefined;
}

/**
 * JSON with sorted properties and without blanks. JSON text may hold numbers that overflow, which JCS does not know: they are
 * written as `1e999`, which reads back as the same.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  return JSON.stringify(value) ?? 'null';
}

/** The text whose SHA-256 is the event's entry. `raw` takes the place of data and metadata. */
export function canonicalRecord({ id, type, stream, revision, data, metadata, raw }: Recordable): string {
  return canonicalJson(
    raw === undefined
      ? { id, type, stream, revision, data, metadata }
      : { id, type, stream, revision, raw: { data: raw.data, metadata: raw.metadata } },
  );
}

/** The 32 bytes that are the event's entry in the log: nobody can read the event from them. */
export function entryOf(event: Recordable): Uint8Array {
  return sha256(utf8ToBytes(canonicalRecord(event)));
}
