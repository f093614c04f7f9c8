/** Opens the read-only service that an environment describes. */
import { pino } from 'pino';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { ConfigurationError, readConfiguration } from '../operations/config/configuration.ts';
import { openReadOnly, type ReadOnlyService } from './open-read-only.ts';

export async function serveReadOnly(env: NodeJS.ProcessEnv): Promise<ReadOnlyService> {
  try {
    const configuration = readConfiguration(env);
    const log = pino({ level: configuration.logLevel }, pino.destination(2));
    return await openReadOnly({ configuration, env, log });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}
