/** The error with which the configuration refuses an environment; to accept it fails the test. */
import { ConfigurationError, readConfiguration } from '../../src/operations/config/configuration.ts';

export function configurationRefusal(env: NodeJS.ProcessEnv): ConfigurationError {
  try {
    readConfiguration(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`);
}
