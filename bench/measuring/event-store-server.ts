/**
 * EventStoreDB server of a benchmark, configured as for the tests: a running server, or a command that starts one.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { answerOf, ended } from './child.ts';
import type { LeftOut } from './line.ts';
import { processorSecondsOf } from './processor-time.ts';
import { startProgram } from './server-program.ts';

/** Number of calls by their subject: a category of streams that were read, one that was appended to, or the log. */
export type StoreCalls = Readonly<Record<string, number>>;

export interface EventStoreServer {
  readonly url: string;
  /** For the figures. */
  readonly name: string;
  /** Calls since the start, up to a tenth of a second ago. Undefined for a server that does not count. */
  calls(): StoreCalls | undefined;
  /** NaN for a server that was already running, and if the system does not report it. */
  processorSeconds(): number;
  stop(): Promise<void>;
}

const START_TIMEOUT = 60_000;

/** If the server is started here, its data are in the folder. */
export async function startEventStoreServer(folder: string): Promise<EventStoreServer | LeftOut> {
  const { TEST_EVENT_STORE_URL: url, TEST_EVENT_STORE_COMMAND: command } = process.env;
  const real = { name: 'EventStoreDB', calls: () => undefined };
  if (url) return { url, ...real, processorSeconds: () => Number.NaN, stop: async () => {} };
  if (!command) return { leftOut: 'neither TEST_EVENT_STORE_URL nor TEST_EVENT_STORE_COMMAND is set' };
  const port = await freePort();
  const line = command.replaceAll('{port}', String(port)).replaceAll('{db}', join(folder, 'event-store'));
  const program = await startProgram(
    ['sh', '-c', line],
    async (signal) => (await fetch(`http://127.0.0.1:${port}/health/live`, { signal })).ok,
  );
  return { url: `esdb://127.0.0.1:${port}?tls=false`, ...real, ...program };
}

/** The configured server, or the test stand-in. The stand-in shows the service's calls, but not a server's cost. */
export async function startEventStoreOrStandIn(folder: string): Promise<EventStoreServer> {
  const given = await startEventStoreServer(folder);
  if (!('leftOut' in given)) return given;
  const child = fork(new URL('./event-store-stand-in-process.ts', import.meta.url));
  const { url } = (await answerOf(child, START_TIMEOUT)) as { readonly url: string };
  let calls: StoreCalls = {};
  child.on('message', (told: { readonly calls: StoreCalls }) => {
    calls = told.calls;
  });
  return {
    url,
    name: 'stand-in for EventStoreDB',
    calls: () => calls,
    processorSeconds: () => processorSecondsOf(child.pid ?? 0),
    stop: () => ended(child),
  };
}
