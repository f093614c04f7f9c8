/** Outcomes to NATS JetStream with 256 messages in flight, through the service's own publisher, against one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createNatsPublisher } from '../../src/adapters/nats-publisher.ts';
import type { PublisherMessage } from '../../src/ports/publisher.ts';
import { randomId } from '../../src/runtime/ids.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 5;
const MILLISECONDS = 1_000;
const WARM_UP = 500;
/** As many as the service hands over together. */
const BATCH = 256;
/** About what a message of the service has. Bytes. */
const BODY = 900;

export const publishing: Line = () =>
  inTemporaryFolder(async (folder) => {
    const port = await freePort();
    const server = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], {
      stdio: 'ignore',
    });
    try {
      await listening(port);
      const windows = await openPublisher(port, 'WINDOW', 256);
      const single = await openPublisher(port, 'SINGLE', 1);
      await Promise.all([windows.publishFor(WARM_UP, BATCH), single.publishFor(WARM_UP, 1)]);
      const { medians, ratio } = await alternate(ROUNDS, {
        window: () => windows.publishFor(MILLISECONDS, BATCH),
        single: () => single.publishFor(MILLISECONDS, 1),
      });
      await Promise.all([windows.release(), single.release()]);
      return [
        {
          what: `messages of ${BODY} bytes stored in a JetStream stream, 256 in flight / one after the other`,
          ratio: ratio('window', 'single'),
          target: { atLeast: 4 },
          figures: `${written(medians.window)}/s, ${written(medians.single)}/s`,
        },
      ];
    } finally {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    }
  });

async function openPublisher(port: number, stream: string, inFlight: number) {
  const source = 'urn:uuid:00000000-0000-4000-8000-000000000000';
  const publisher = createNatsPublisher({
    address: { kind: 'nats', servers: [`127.0.0.1:${port}`], tls: false, credentials: {} },
    stream,
    subjectPrefix: `${stream}.`,
    groups: ['tokens'],
    replicas: 1,
    inFlight,
  });
  await publisher.resume(source, new AbortController().signal);
  const rest = 'x'.repeat(BODY - 150);
  let place = 0;

  function next(): PublisherMessage {
    place += 1;
    const position = String(place).padStart(20, '0');
    const id = randomId();
    return { id, position, name: 'tokens.created', body: JSON.stringify({ id, source, position, rest }) };
  }

  return {
    /** Messages stored a second. The next batch is handed over while the one before is on its way, as the service does. */
    async publishFor(milliseconds: number, batch: number): Promise<number> {
      const start = performance.now();
      const first = place;
      let before = Promise.resolve();
      while (performance.now() - start < milliseconds) {
        const storing = publisher.publish(Array.from({ length: batch }, next));
        if (batch === 1) await storing;
        await before;
        before = storing;
      }
      await before;
      return ((place - first) * 1_000) / (performance.now() - start);
    },
    release: () => publisher.release(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a port was asked for');
  return address.port;
}

/** Rejects when the server does not greet within five seconds. */
async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const greets = await once(socket, 'data').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (greets) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('there is no nats-server in PATH, or it does not listen');
}
