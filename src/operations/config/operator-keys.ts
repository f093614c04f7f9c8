/** Parses OPERATOR_KEYS: names and hashes of keys. */
import type { NamedKey } from '../../server/auth/named-keys.ts';
import { namedKey, requireUnique } from './named-keys.ts';
import { listOf, NotAllowed, type ValueKind } from './value-kinds.ts';

const operatorKey: ValueKind<NamedKey> = {
  allowed: '`name:hash` with the SHA-256 of the key in 64 hexadecimal digits',
  unit: '',
  // A weak key can be found from its hash.
  confidential: true,
  parse(text) {
    const [name = '', sha256 = '', ...more] = text.split(':');
    if (more.length > 0) throw new NotAllowed();
    return namedKey(name, sha256);
  },
};

const keys = listOf(operatorKey);

export const operatorKeys: ValueKind<readonly NamedKey[]> = {
  ...keys,
  parse(text) {
    const found = keys.parse(text);
    requireUnique(found);
    return found;
  },
};
