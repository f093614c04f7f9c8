/**
 * Makes an operator's key at the first start of a service for one machine, so that its operator pages open without any set-up.
 * Only where the chain and the log are embedded and nobody else can call: elsewhere OPERATOR_KEYS names the operators.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readOwnOperatorKey } from '../adapters/file/secrets.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { isLoopback } from '../operations/config/value-kinds.ts';

export interface OwnOperatorKey {
  /** Mode 0600. */
  readonly file: string;
  readonly key: string;
}

/** Adds the operator `local` to the configuration; `own` is undefined where there are other operators, or other callers. */
export async function withOwnOperatorKey(configuration: Configuration): Promise<{
  readonly configuration: Configuration;
  readonly own: OwnOperatorKey | undefined;
}> {
  const { embedded, host, operatorKeys, dataDirectory } = configuration;
  if (!embedded || !isLoopback(host) || operatorKeys.length > 0) return { configuration, own: undefined };
  const file = join(dataDirectory, 'operator-key');
  const key = await readOwnOperatorKey(file);
  const sha256 = createHash('sha256').update(key).digest('hex');
  return {
    configuration: { ...configuration, operatorKeys: [{ name: 'local', sha256 }] },
    own: { file, key },
  };
}
