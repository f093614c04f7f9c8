// NATS server with JetStream for one test or one file of tests: on loopback, in its own folder; tests can kill, stop and restart it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import { connect, type NatsConnection } from 'nats';
import { freePort } from './free-port.ts';
import { type Lifetime, ofTheTest } from './lifetime.ts';
import { createServerProgram, type ServerProgram } from './server-program.ts';

const PROGRAM = 'nats-server';

export const hasNatsServer = spawnSync(PROGRAM, ['--version']).status === 0;

/** Says once in a file how many of its tests are skipped, and why. */
export function tellOfSkippedNats(count: number): void {
  if (hasNatsServer) return;
  console.warn(`SKIPPED: ${count} tests of publishing on NATS, because there is no ${PROGRAM} in PATH`);
}

export interface NatsServer extends ServerProgram {
  /** Its port on 127.0.0.1, the same after every start. */
  readonly port: number;
  readonly url: string;
  /** A connection of the test's own, closed at the end. */
  connect(): Promise<NatsConnection>;
}

/** `configuration` in the server's own format is added to what every one of these servers has. */
export async function startNatsServer(
  configuration = '',
  lifetime: Lifetime = ofTheTest,
): Promise<NatsServer> {
  const folder = await lifetime.folder();
  const port = await freePort();
  const file = join(folder, 'server.conf');
  const own = `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${join(folder, 'store')}" }\n`;
  await writeFile(file, own + configuration);
  const server = createServerProgram(
    PROGRAM,
    () => spawn(PROGRAM, ['-c', file], { stdio: 'ignore', detached: true }),
    () => isListening(port),
  );
  lifetime.atTheEnd(server.kill);
  await server.start();
  return {
    ...server,
    port,
    url: `nats://127.0.0.1:${port}`,
    async connect() {
      const connection = await connect({ servers: `127.0.0.1:${port}`, reconnect: false });
      lifetime.atTheEnd(() => connection.close());
      return connection;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = dial(port, '127.0.0.1');
  try {
    await once(socket, 'data');
    return true;
  } finally {
    socket.destroy();
  }
}
