/** The operator of every test service, and how a key becomes an entry of OPERATOR_KEYS. */
import { createHash, randomBytes } from 'node:crypto';

export const OPERATOR_NAME = 'alice';

/** Created for every run, so that no test depends on a particular one. */
export const OPERATOR_KEY = newOperatorKey();

export function newOperatorKey(): string {
  return randomBytes(32).toString('hex');
}

export function operatorEntry(name: string, key: string): string {
  return `${name}:${createHash('sha256').update(key).digest('hex')}`;
}
