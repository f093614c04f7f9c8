/** Callers who are slow, deaf or too many: each is told or cut off, and the service goes on for the others. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemFault } from '../support/client.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: TestService;
let creator: Creator;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await openTestService(
    { NONCE_ACCOUNTS_MIN: '0' },
    {
      constants: {
        requestTimeoutMs: 900,
        answerTimeoutMs: 500,
        keepAliveTimeoutMs: 500,
        connectionsMax: 40,
      },
    },
  );
  creator = await openCreator(service, { sol: 0 });
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** A connection of which the test reads only what it asks for. */
function deafCaller(request: string): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  socket.on('error', () => socket.destroy());
  sockets.push(socket);
  return socket;
}

/** Everything that comes until the connection is over. */
async function rest(socket: Socket): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket) bytes += chunk.length;
  return bytes;
}

async function expectWell(): Promise<void> {
  // A connection that the client kept may be closed just as it is used again: then it takes a new one.
  await until(() => creator.client.call('GET', '/health').catch(() => undefined));
  expect(await creator.client.call('GET', '/health')).toMatchObject({ status: 200 });
  expect(await creator.upload()).toMatchObject({ success: true });
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
}

test.each([
  ['the head of a request', 'GET /tokens HTTP/1.1\r\nhost: x\r\nx-unfinished: '],
  [
    'the body of a request',
    requestText('POST', '/auth/challenge', { 'content-type': 'application/json', 'content-length': '100' }) +
      '{',
  ],
])('%s that does not come to its end is answered with a problem, and the connection is over', async (_what, request) => {
  const { status, headers, text } = await exchange(service.url, request);
  const problem = JSON.parse(text);
  expect(problem).toMatchObject({ code: 'REQUEST_TIMED_OUT', detail: 'The request did not arrive in time.' });
  // What did not come to its end has no path yet.
  expect(problemFault({ ...problem, instance: '/' }, status, headers)).toBeUndefined();
  expect([status, headers.get('connection')]).toEqual([408, 'close']);
});

const LONG = 'a'.repeat(9_000);
const LONGER = 'b'.repeat(30_000);

test.each([
  ['an address', 414, 'URI_TOO_LONG', requestText('GET', `/tokens?search=${LONG}`)],
  ['an address of no route', 414, 'URI_TOO_LONG', requestText('GET', `/${LONG}`)],
  [
    'headers',
    431,
    'HEADERS_TOO_LARGE',
    requestText('GET', '/health', Object.fromEntries(['x-a', 'x-b'].map((name) => [name, LONG]))),
  ],
  [
    'headers of an upload',
    431,
    'HEADERS_TOO_LARGE',
    requestText('POST', '/tokens/upload-image', { cookie: `${LONG}${LONG}` }),
  ],
  [
    'a header longer than all that is read',
    431,
    'HEADERS_TOO_LARGE',
    requestText('GET', '/health', { cookie: LONGER }),
  ],
])('%s too long is refused as %i %s', async (_what, status, code, request) => {
  const answer = await exchange(service.url, request);
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code]);
  expect(
    problemFault({ ...JSON.parse(answer.text), instance: '/' }, answer.status, answer.headers),
  ).toBeUndefined();
});

test('an address and headers that are just short enough are answered', async () => {
  const headers = { cookie: 'c'.repeat(16_000) };
  expect(
    (await exchange(service.url, requestText('GET', `/health?_=${LONG.slice(0, 8_000)}`, headers))).status,
  ).toBe(200);
});

test('an upload that does not come to its end records nothing', async () => {
  const recorded = service.recorded.length;
  const head = requestText('POST', '/tokens/upload-image', {
    authorization: `Bearer ${creator.token}`,
    'content-type': 'multipart/form-data; boundary=levy',
    'content-length': '100000',
  });
  const part = '--levy\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
  await exchange(service.url, `${head}${part}`);
  expect(service.recorded).toHaveLength(recorded);
  await expectWell();
});

test('an expectation that nobody knows is none', async () => {
  const request = requestText('GET', '/health', { expect: 'miracles' });
  expect((await exchange(service.url, request)).status).toBe(200);
});

test('idle connections, however many, keep nobody out for long', async () => {
  const idle = Array.from({ length: 100 }, () => deafCaller('GET /health HTTP/1.1\r\n'));
  await until(async () => {
    const answer = await creator.client.call('GET', '/health').catch(() => undefined);
    return answer?.status === 200 ? answer : undefined;
  });
  expect(service.logged).toContainEqual(
    expect.objectContaining({ level: 40, maximum: 40, msg: 'connection limit reached' }),
  );
  for (const socket of idle) await rest(socket).catch(() => 0);
  await expectWell();
});
