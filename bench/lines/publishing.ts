/**
 * Publishing outcomes to NATS JetStream with 256 messages in flight through the service's publisher, compared with
 * one at a time.
 */
import { createNatsPublisher } from '../../src/adapters/nats/publisher.ts';
import type { PublisherMessage } from '../../src/kernel/ports/publisher.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { startNatsServer } from '../measuring/nats-server.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 5;
const MILLISECONDS = 1_000;
const WARM_UP = 500;
/** Batch size of the service. */
const BATCH = 256;
/** Bytes; about the size of a message of the service. */
const BODY = 900;

export const publishing: Line = () =>
  inTemporaryFolder(async (folder) => {
    const server = await startNatsServer(folder);
    if ('leftOut' in server) return server;
    const { port } = server;
    try {
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
          what: `messages of ${BODY} bytes stored in a JetStream stream, 256 in flight / sequential`,
          ratio: ratio('window', 'single'),
          target: { atLeast: 4 },
          figures: `${written(medians.window)}/s, ${written(medians.single)}/s`,
        },
      ];
    } finally {
      await server.stop();
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
    /**
     * Messages stored per second. The next batch is passed on while the previous one is in flight, as the service
     * does.
     */
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
