/** Identifies operators by their key. Only the keys' hashes are stored. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** An entry of OPERATOR_KEYS. */
export interface OperatorKey {
  readonly name: string;
  /** 64 hexadecimal digits in lower case. */
  readonly sha256: string;
}

export interface Operators {
  /** False without operator keys; operator routes then do not exist. */
  readonly configured: boolean;
  /** The operator's name; undefined for an unknown key. Takes constant time. */
  verify(key: string): string | undefined;
}

export function createOperators(keys: readonly OperatorKey[]): Operators {
  const hashed = keys.map(({ name, sha256 }) => ({ name, hash: Buffer.from(sha256, 'hex') }));
  return {
    configured: keys.length > 0,
    verify(key) {
      const given = createHash('sha256').update(key).digest();
      let found: string | undefined;
      // Compares all entries, so that the time does not reveal how close a guess was.
      for (const { name, hash } of hashed) if (timingSafeEqual(given, hash)) found = name;
      return found;
    },
  };
}
