/** Parses names and key hashes, for OPERATOR_KEYS and PARTNER_KEYS. */
import { createHash } from 'node:crypto';
import type { NamedKey } from '../../server/auth/key-holders.ts';
import type { Partner, Quotas } from '../../server/http/rate-limit/policies.ts';
import { quotas } from './quotas.ts';
import { listOf, NotAllowed, type ValueKind } from './value-kinds.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
const SHA_256 = /^[0-9a-f]{64}$/i;

/** Hashes of an empty text and of an empty line, which are configured by mistake. */
const HASHES_OF_NOTHING = ['', '\n'].map((text) => createHash('sha256').update(text).digest('hex'));

/** Throws `NotAllowed`. */
function namedKey(name: string, sha256: string): NamedKey {
  if (!NAME.test(name))
    throw new NotAllowed('a name must have 1 to 32 letters, digits, dots, dashes and underscores');
  if (!SHA_256.test(sha256)) throw new NotAllowed('a hash must have 64 hexadecimal digits');
  if (HASHES_OF_NOTHING.includes(sha256.toLowerCase()))
    throw new NotAllowed('the hash is that of an empty text; hash the key');
  return { name, sha256: sha256.toLowerCase() };
}

/** Every key must identify one holder. */
const UNIQUE = [
  { key: ({ name }: NamedKey) => name.toLowerCase(), problem: 'a name occurs twice' },
  { key: ({ sha256 }: NamedKey) => sha256, problem: 'two names have the same key' },
];

const operatorKey: ValueKind<NamedKey> = {
  allowed: '`name:hash` with the SHA-256 of the key in 64 hexadecimal digits',
  // A weak key can be found from its hash.
  confidential: true,
  parse(text) {
    const [name = '', sha256 = '', ...more] = text.split(':');
    if (more.length > 0) throw new NotAllowed();
    return namedKey(name, sha256);
  },
};

export const operatorKeys = listOf<NamedKey>(operatorKey, UNIQUE);

const partner: ValueKind<Partner> = {
  allowed:
    '`name:hash` or `name:hash:quotas`, with the SHA-256 of the key in 64 hexadecimal digits, and quotas as in `RATE_LIMITS`, separated by semicolons',
  // A weak key can be found from its hash.
  confidential: true,
  parse(text) {
    const [name = '', sha256 = '', given, ...more] = text.split(':');
    if (more.length > 0) throw new NotAllowed();
    const key = namedKey(name, sha256);
    return { ...key, quotas: given === undefined ? {} : quotasOf(key, given) };
  },
};

/** The message does not quote the text, because it may be a key in the wrong field. */
function quotasOf({ name }: NamedKey, text: string): Quotas {
  try {
    return quotas.parse(text.replaceAll(';', ','));
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    throw new NotAllowed(`the quotas of "${name}" must have the form of RATE_LIMITS`);
  }
}

export const partnerKeys = listOf<Partner>(partner, UNIQUE);
