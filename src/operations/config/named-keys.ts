/** Parses names with the hashes of their keys, for OPERATOR_KEYS and PARTNER_KEYS. */
import { createHash } from 'node:crypto';
import type { NamedKey } from '../../server/auth/named-keys.ts';
import { NotAllowed } from './value-kinds.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
const SHA_256 = /^[0-9a-f]{64}$/i;

/** The hashes of nothing and of an empty line, made by mistake. */
const HASHES_OF_NOTHING = ['', '\n'].map((text) => createHash('sha256').update(text).digest('hex'));

/** Throws `NotAllowed`. */
export function namedKey(name: string, sha256: string): NamedKey {
  if (!NAME.test(name))
    throw new NotAllowed('a name has 1 to 32 letters, digits, dots, dashes and underscores');
  if (!SHA_256.test(sha256)) throw new NotAllowed('a hash has 64 hexadecimal digits');
  if (HASHES_OF_NOTHING.includes(sha256.toLowerCase()))
    throw new NotAllowed('it is the hash of an empty text');
  return { name, sha256: sha256.toLowerCase() };
}

/** Throws `NotAllowed` unless names and keys are unique, so that every call belongs to one holder. */
export function requireUnique(keys: readonly NamedKey[]): void {
  if (new Set(keys.map(({ name }) => name.toLowerCase())).size < keys.length) {
    throw new NotAllowed('a name occurs twice');
  }
  if (new Set(keys.map(({ sha256 }) => sha256)).size < keys.length) {
    throw new NotAllowed('two names have the same key');
  }
}
