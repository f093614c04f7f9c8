/** Finds the holder of a secret key. Only SHA-256 hashes of keys are stored. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** One entry of OPERATOR_KEYS, or of PARTNER_KEYS. */
export interface NamedKey {
  readonly name: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** Returns the entry of a key in constant time; undefined for an unknown key. */
type HolderOf<Entry extends NamedKey> = (key: string) => Entry | undefined;

export function createHolderOf<Entry extends NamedKey>(entries: readonly Entry[]): HolderOf<Entry> {
  const hashed = entries.map((entry) => ({ entry, hash: Buffer.from(entry.sha256, 'hex') }));
  return (key) => {
    const given = createHash('sha256').update(key).digest();
    let found: Entry | undefined;
    // Compares every entry, so that the duration does not depend on the matching one.
    for (const { entry, hash } of hashed) if (timingSafeEqual(given, hash)) found = entry;
    return found;
  };
}
