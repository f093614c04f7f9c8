/** Hundreds of clients ask for much and read nothing: the process does not grow, and goes on answering the others. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { type Exposition, readExposition } from '../support/exposition.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { png } from '../support/png.ts';
import { requestText } from '../support/raw-http.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const CONNECTIONS = 600;
const REQUESTS = 8;
const MEGABYTE = 1024 * 1024;
const ANSWERS_BUFFER = 64 * MEGABYTE;
/** Without the bound it grew by ten times as much, and more with larger images. */
const GROWTH = 250 * MEGABYTE;

let service: ServiceProcess;
let image: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startServiceProcess(
    { NONCE_ACCOUNTS_MIN: '0' },
    { constants: { answersBuffer: ANSWERS_BUFFER, eventsSubscribersPerAddress: 1_000 } },
  );
  const creator = await openCreator(service, { sol: 0 });
  // Noise: the largest picture there can be.
  const { imageCid } = await creator.upload(
    Uint8Array.from(
      png(
        { width: 512 },
        Array.from({ length: 512 }, () => randomBytes(512 * 3)),
      ),
    ),
  );
  image = `/images/${imageCid}.jpg`;
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

async function measured(): Promise<Exposition> {
  const answer = await createClient(service.url).call('GET', '/metrics', { operatorKey: OPERATOR_KEY });
  return readExposition(Buffer.from(answer.bytes).toString());
}

async function memory(): Promise<number> {
  return (await measured()).value('process_resident_memory_bytes') ?? 0;
}

/** Asks on many connections at once, and reads nothing. */
async function ask(text: string): Promise<void> {
  const { hostname, port } = new URL(service.url);
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(
    Array.from(
      { length: CONNECTIONS },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => socket.write(text, () => resolve()));
          socket.on('error', () => resolve());
          sockets.push(socket);
        }),
    ),
  );
}

describe('what hundreds of clients ask for and do not read', () => {
  test.each([
    ['an image', () => image],
    ['a long text', () => '/openapi.json'],
    ['a file', () => '/docs/static/swagger-ui-bundle.js'],
    ['the events from the beginning', () => '/events?after=start'],
  ])('does not fill the memory, and others are answered: %s', async (_what, path) => {
    const client = createClient(service.url);
    expect((await client.call('GET', path().startsWith('/events') ? '/health' : path())).status).toBe(200);
    const before = await memory();
    await ask(requestText('GET', path(), { connection: 'keep-alive' }).repeat(REQUESTS));
    for (let times = 0; times < 20; times += 1) {
      expect((await client.call('GET', image)).status).toBe(200);
      const now = await measured();
      expect(now.value('levy_http_waiting_bytes')).toBeLessThanOrEqual(ANSWERS_BUFFER);
      expect((now.value('process_resident_memory_bytes') ?? 0) - before).toBeLessThan(GROWTH);
    }
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => ((await measured()).value('levy_http_waiting_bytes') === 0 ? true : undefined));
  });
});
