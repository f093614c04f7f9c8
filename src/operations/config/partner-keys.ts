/** Parses PARTNER_KEYS: names, hashes of keys, and the quotas of each partner. */
import type { NamedKey } from '../../server/auth/named-keys.ts';
import type { Partner, Quotas } from '../../server/http/rate-limit/policies.ts';
import { namedKey, requireUnique } from './named-keys.ts';
import { quotas } from './quotas.ts';
import { listOf, NotAllowed, type ValueKind } from './value-kinds.ts';

const partner: ValueKind<Partner> = {
  allowed:
    '`name:hash` or `name:hash:quotas`, with the SHA-256 of the key in 64 hexadecimal digits, and quotas as in `RATE_LIMITS`, separated by semicolons',
  unit: '',
  // A weak key can be found from its hash.
  confidential: true,
  parse(text) {
    const [name = '', sha256 = '', given, ...more] = text.split(':');
    if (more.length > 0) throw new NotAllowed();
    const key = namedKey(name, sha256);
    return { ...key, quotas: given === undefined ? {} : quotasOf(key, given) };
  },
};

/** What is wrong is not shown: a key may stand where the quotas should. */
function quotasOf({ name }: NamedKey, text: string): Quotas {
  try {
    return quotas.parse(text.replaceAll(';', ','));
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    throw new NotAllowed(`the quotas of "${name}" are none of RATE_LIMITS`);
  }
}

const partners = listOf(partner);

export const partnerKeys: ValueKind<readonly Partner[]> = {
  ...partners,
  parse(text) {
    const found = partners.parse(text);
    requireUnique(found);
    return found;
  },
};
