/** A bounded memory of what was verified, so that a signature is checked once and not at every request. It judges nothing itself. */
import { hash } from 'node:crypto';

export interface VerifiedTokens<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  clear(): void;
  readonly size: number;
}

/**
 * A token's name in the cache: its SHA-256. Costs about a microsecond, where a signature costs a hundred; in return an entry is small
 * whatever the token's length (10,000 texts of 8 KB would be 80 MB), and no usable bearer token lies about in memory.
 */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Keeps the `capacity` entries that were used last; a capacity of 0 keeps none. */
export function createVerifiedTokens<T>(capacity: number): VerifiedTokens<T> {
  // A Map iterates in order of insertion: an entry that is put back on use makes the first one the least recently used.
  const entries = new Map<string, T>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      if (capacity < 1) return;
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= capacity) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        break;
      }
    },
    delete(key) {
      entries.delete(key);
    },
    clear() {
      entries.clear();
    },
    get size() {
      return entries.size;
    },
  };
}
