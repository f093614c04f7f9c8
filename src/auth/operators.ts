/** Who may operate the service: tells an operator by the key in hand, of which only the hash is known here. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** One entry of OPERATOR_KEYS. */
export interface OperatorKey {
  readonly name: string;
  /** 64 hexadecimal digits in lower case. */
  readonly sha256: string;
}

export interface Operators {
  /** Whether there are any. Routes that are theirs alone do not exist while there are none. */
  readonly configured: boolean;
  /** The name of the operator whose key it is. Takes as long whether and wherever it is found. */
  verify(key: string): string | undefined;
}

export function createOperators(keys: readonly OperatorKey[]): Operators {
  const entries = keys.map(({ name, sha256 }) => ({ name, hash: Buffer.from(sha256, 'hex') }));
  return {
    configured: entries.length > 0,
    verify(key) {
      const given = createHash('sha256').update(key).digest();
      let found: string | undefined;
      // All are compared, so that the time tells nobody how many there are, or how near a guess came.
      for (const { name, hash } of entries) if (timingSafeEqual(given, hash)) found = name;
      return found;
    },
  };
}
