/** Identifies operators by their key. */
import { createHolderOf, type NamedKey } from './named-keys.ts';

export interface Operators {
  /** False without operator keys; operator routes then do not exist. */
  readonly configured: boolean;
  /** The operator's name; undefined for an unknown key. Takes constant time. */
  verify(key: string): string | undefined;
}

export function createOperators(keys: readonly NamedKey[]): Operators {
  const holderOf = createHolderOf(keys);
  return { configured: keys.length > 0, verify: (key) => holderOf(key)?.name };
}
