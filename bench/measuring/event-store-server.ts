/** The EventStoreDB of a benchmark, given as to the tests: one that runs already, or a command that runs one. */
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { LeftOut } from './line.ts';
import { startProgram } from './server-program.ts';

export interface EventStoreServer {
  readonly url: string;
  /** NaN where it runs already, and where the system does not tell. */
  processorSeconds(): number;
  stop(): Promise<void>;
}

/** Its data are kept in the folder, if it is started here. */
export async function startEventStoreServer(folder: string): Promise<EventStoreServer | LeftOut> {
  const { TEST_EVENT_STORE_URL: url, TEST_EVENT_STORE_COMMAND: command } = process.env;
  if (url) return { url, processorSeconds: () => Number.NaN, stop: async () => {} };
  if (!command) return { leftOut: 'neither TEST_EVENT_STORE_URL nor TEST_EVENT_STORE_COMMAND is set' };
  const port = await freePort();
  const line = command.replaceAll('{port}', String(port)).replaceAll('{db}', join(folder, 'event-store'));
  const program = await startProgram(
    ['sh', '-c', line],
    async (signal) => (await fetch(`http://127.0.0.1:${port}/health/live`, { signal })).ok,
  );
  return { url: `esdb://127.0.0.1:${port}?tls=false`, ...program };
}
