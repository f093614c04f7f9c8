/** Deterministic ids: a repeated command finds the same streams and writes the same events. */
import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { v4, v5 } from 'uuid';

/** Namespace of every id that Levy derives. Must never change: all ids in all logs depend on it. */
const NAMESPACE = '6f1c3bde-6a8b-5d0e-9a55-1c1f0c3f7a10';

export const Uuid = Type.String({
  minLength: 36,
  maxLength: 36,
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['11f82ccb-0246-5e2a-83c3-8f3a12af34d8'],
});

export function randomId(): string {
  return v4();
}

/** UUID v5 of the parts; ['a', 'b'] and ['ab'] differ. */
export function deriveId(...parts: readonly string[]): string {
  return v5(JSON.stringify(parts), NAMESPACE);
}

/** Derives the same id for the same key, actor and route; without a key, every call has a new id. */
export function commandIdFor(actor: string, route: string, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? randomId() : deriveId('command', actor, route, idempotencyKey);
}

/** `run` is one run of a command, so repeated appends have equal event ids. */
export function eventIdFor(run: string, index: number): string {
  return deriveId('event', run, String(index));
}

/** SHA-256 (hex) of the input, independent of the order of object keys. */
export function hashInput(input: unknown): string {
  return createHash('sha256').update(canonical(input)).digest('hex');
}

function canonical(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes:${createHash('sha256').update(value).digest('hex')}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
