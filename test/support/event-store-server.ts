/** A real EventStoreDB for tests: one that is running, or one that the test starts, kills, stops and restarts. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { freePort } from './free-port.ts';
import { createServerProgram, type ServerProgram } from './server-program.ts';

/** A server that runs. Tests take a prefix of their own in it. */
const runningUrl = process.env.TEST_EVENT_STORE_URL;
/** A shell command that runs one in the foreground, without TLS, on 127.0.0.1 at `{port}`, with its data in the folder `{db}`. */
const command = process.env.TEST_EVENT_STORE_COMMAND;

export const hasEventStore = runningUrl !== undefined || command !== undefined;
/** True if a test may kill the server. */
export const hasEventStoreOfItsOwn = command !== undefined;

/** Says once in a file that its tests are skipped, and why; the runner counts them. */
export function tellOfSkippedEventStore(what: string): void {
  console.warn(
    `SKIPPED: ${what}, because TEST_EVENT_STORE_COMMAND names no command that runs an EventStoreDB`,
  );
}

export interface EventStoreServer extends ServerProgram {
  readonly port: number;
  readonly url: string;
  /** Its data; to be touched while it does not run. */
  readonly folder: string;
  /** Kills it, if it runs, and takes its data away. */
  dispose(): Promise<void>;
}

export async function startEventStoreServer(): Promise<EventStoreServer> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const port = await freePort();
  const line = (command ?? '').replaceAll('{port}', String(port)).replaceAll('{db}', folder);
  const server = createServerProgram(
    'EventStoreDB',
    () => spawn('sh', ['-c', line], { stdio: 'ignore', detached: true }),
    async () => (await fetch(`http://127.0.0.1:${port}/health/live`)).ok,
  );
  await server.start();
  return {
    ...server,
    port,
    url: `esdb://127.0.0.1:${port}?tls=false`,
    folder,
    async dispose() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<string> | undefined;

/** The address of one for a whole file of tests; it is started if none runs, and ends with the file. */
export function sharedEventStoreUrl(): Promise<string> {
  shared ??= runningUrl === undefined ? startShared() : Promise.resolve(runningUrl);
  return shared;
}

async function startShared(): Promise<string> {
  const server = await startEventStoreServer();
  stopping.push(() => server.dispose());
  return server.url;
}

const stopping: (() => Promise<void>)[] = [];

/** To be called at the top of a file that uses the shared one. */
export function stopSharedEventStore(): void {
  afterAll(async () => {
    for (const stop of stopping.splice(0)) await stop();
    shared = undefined;
  });
}
