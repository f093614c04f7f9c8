/**
 * Canonical form of an event that Levy's log commits to: JSON of RFC 8785 (JCS), which every program writes equally. It
 * is independent of schemas, so undecodable events have entries too.
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
  /** Stored bytes of unparseable data or metadata. */
  readonly raw?: { readonly data: string; readonly metadata: string } | undefined;
}

/**
 * JSON with sorted properties and without blanks. Numbers of a JSON text that overflow do not exist in JCS; they are
 * written as `1e999`, which parses to the same value.
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

/** Text whose SHA-256 is the event's entry. `raw` replaces data and metadata. */
export function canonicalRecord({ id, type, stream, revision, data, metadata, raw }: Recordable): string {
  return canonicalJson(
    raw === undefined
      ? { id, type, stream, revision, data, metadata }
      : { id, type, stream, revision, raw: { data: raw.data, metadata: raw.metadata } },
  );
}

/** Entry of the event in the log: 32 bytes, which do not reveal the event. */
export function entryOf(event: Recordable): Uint8Array {
  return sha256(utf8ToBytes(canonicalRecord(event)));
}
