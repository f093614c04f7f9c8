/** Finds who holds a secret key. Only the keys' hashes are stored. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** One entry of OPERATOR_KEYS, or of PARTNER_KEYS. */
export interface NamedKey {
  readonly name: string;
  /** 64 hexadecimal digits in lower case. */
  readonly sha256: string;
}

/** The entry whose key this is; undefined for an unknown key. Takes constant time. */
type HolderOf<Entry extends NamedKey> = (key: string) => Entry | undefined;

export function createHolderOf<Entry extends NamedKey>(entries: readonly Entry[]): HolderOf<Entry> {
  const hashed = entries.map((entry) => ({ entry, hash: Buffer.from(entry.sha256, 'hex') }));
  return (key) => {
    const given = createHash('sha256').update(key).digest();
    let found: Entry | undefined;
    // Compares all entries, so that the time does not reveal how close a guess was.
    for (const { entry, hash } of hashed) if (timingSafeEqual(given, hash)) found = entry;
    return found;
  };
}
