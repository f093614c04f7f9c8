/** Parses OPERATOR_KEYS: names and hashes of keys. */
import { createHash } from 'node:crypto';
import type { OperatorKey } from '../../server/auth/operators.ts';
import { listOf, NotAllowed, type ValueKind } from './value-kinds.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
const SHA_256 = /^[0-9a-f]{64}$/i;

/** The hashes of nothing and of an empty line, made by mistake. */
const HASHES_OF_NOTHING = ['', '\n'].map((text) => createHash('sha256').update(text).digest('hex'));

const operatorKey: ValueKind<OperatorKey> = {
  allowed: '`name:hash` with the SHA-256 of the key in 64 hexadecimal digits',
  unit: '',
  // A weak key can be found from its hash.
  confidential: true,
  parse(text) {
    const [name = '', sha256 = '', ...more] = text.split(':');
    if (more.length > 0) throw new NotAllowed();
    if (!NAME.test(name))
      throw new NotAllowed('a name has 1 to 32 letters, digits, dots, dashes and underscores');
    if (!SHA_256.test(sha256)) throw new NotAllowed('a hash has 64 hexadecimal digits');
    if (HASHES_OF_NOTHING.includes(sha256.toLowerCase()))
      throw new NotAllowed('it is the hash of an empty text');
    return { name, sha256: sha256.toLowerCase() };
  },
};

const keys = listOf(operatorKey);

/** Names and keys are unique, so that every call belongs to one operator. */
export const operatorKeys: ValueKind<readonly OperatorKey[]> = {
  ...keys,
  parse(text) {
    const found = keys.parse(text);
    if (new Set(found.map(({ name }) => name.toLowerCase())).size < found.length)
      throw new NotAllowed('a name occurs twice');
    if (new Set(found.map(({ sha256 }) => sha256)).size < found.length)
      throw new NotAllowed('two names have the same key');
    return found;
  },
};
