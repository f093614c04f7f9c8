// Limits of connections: clients that send slowly, read slowly or not at all, or stay idle are disconnected; other clients are not.
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ConnectionLimits, createHttpServer } from '../../src/server/http/connections.ts';
import { until } from '../support/until.ts';

const PATIENT: ConnectionLimits = {
  maximum: 100,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  answerTimeout: 60_000,
  answersBuffer: 1024 * 1024 * 1024,
};
/** More than an operating system keeps for a caller who does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

interface Caller {
  readonly socket: Socket;
  /** The same connection as the server has it. */
  readonly there: Socket;
  /** Resolves when the server has closed the connection. */
  readonly cutOff: Promise<unknown>;
  received(): string;
  /** Resolves when so many answers have come. */
  answered(times?: number): Promise<unknown>;
}

async function open(
  limits: Partial<ConnectionLimits>,
  handler: RequestListener = (_request, response) => response.end('ok'),
) {
  const full: string[] = [];
  const unread: string[] = [];
  let waitingBytes = () => 0;
  const server = createHttpServer(
    handler,
    { ...PATIENT, ...limits },
    {
      full: () => void full.push('full'),
      overfull: () => void full.push('overfull'),
      unread: (reason) => void unread.push(reason),
      watchWaiting(bytes) {
        waitingBytes = bytes;
      },
    },
  );
  // The HTTP layer decides the response in that case.
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** Connects, and sends what is given; reads nothing unless asked to. */
  async function call(first = '', { reads = true } = {}): Promise<Caller> {
    const arrival = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    let received = '';
    if (reads)
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
    const [there]: Socket[] = await arrival;
    if (there === undefined) throw new Error('nobody has come');
    const cutOff = there.destroyed ? Promise.resolve() : once(there, 'close');
    if (first !== '') socket.write(first);
    const count = () => received.split('HTTP/1.1 200').length - 1;
    return {
      socket,
      there,
      cutOff,
      received: () => received,
      answered: (times = 1) => until(async () => (count() >= times ? true : undefined)),
    };
  }
  return { call, full, unread, server, waitingBytes: () => waitingBytes() };
}

/** Sends the bytes again and again until the connection is over. */
function keepSending({ socket }: Caller, bytes: string): void {
  const sending = setInterval(() => socket.write(bytes), 20);
  socket.once('close', () => clearInterval(sending));
}

test('a closing server does not wait for connections without a request, and answers the requests it has', async () => {
  const held: ServerResponse[] = [];
  const { call, server } = await open({}, (_request, response) => void held.push(response));
  const unused = await call();
  const waiting = await call(GET);
  await until(async () => (held.length > 0 ? true : undefined));
  const closed = once(server, 'close');
  server.close();
  await unused.cutOff;
  held[0]?.end('ok');
  await waiting.answered();
  waiting.socket.destroy();
  await closed;
});

describe('a caller is cut off', () => {
  test('who sends the head of a request slowly, however steadily', async () => {
    const { call } = await open({ requestTimeout: 300 });
    const slow = await call('GET / HTTP/1.1\r\nhost: x\r\n');
    keepSending(slow, 'x-more: x\r\n');
    await slow.cutOff;
    expect(slow.received()).toBe('');
  });

  test('who keeps a connection for nothing after an answer', async () => {
    const { call } = await open({ keepAliveTimeout: 100 });
    const idle = await call(GET);
    await idle.answered();
    await idle.cutOff;
  });

  test('who does not read a large answer', async () => {
    const { call } = await open({ answerTimeout: 300 }, (_request, response) => response.end(LARGE));
    const deaf = await call(GET, { reads: false });
    await until(async () => (deaf.there.writableLength > 0 ? true : undefined));
    await deaf.cutOff;
  });

  test('who asks a thousand times at once: few answers are made', async () => {
    let made = 0;
    const { call } = await open({}, (_request, response) => {
      made += 1;
      setImmediate(() => response.end('ok'));
    });
    await (await call(GET.repeat(1_000))).cutOff;
    expect(made).toBe(8);
  });
});

describe('what waits for callers who do not read', () => {
  const MEGABYTE = 1024 * 1024;
  /** More than the operating system takes at once, many times over. */
  const PART = LARGE.subarray(0, LARGE.length / 2);

  test('is bounded for all connections together: the one that has waited longest is closed', async () => {
    const { call, waitingBytes, unread, full } = await open(
      { answersBuffer: 40 * MEGABYTE },
      (_request, response) => response.end(PART),
    );
    const deaf: Caller[] = [];
    for (let count = 0; count < 6; count += 1) {
      const one = await call(GET, { reads: false });
      deaf.push(one);
      await until(async () => (one.there.writableLength > 0 ? true : undefined));
    }
    await until(async () => (unread.length === 4 ? true : undefined));
    expect(waitingBytes()).toBeLessThanOrEqual(40 * MEGABYTE);
    expect(deaf.map(({ there }) => there.destroyed)).toEqual([true, true, true, true, false, false]);
    expect([unread, full]).toEqual([['limit', 'limit', 'limit', 'limit'], ['overfull']]);
    // A client that reads is still served.
    const other = await call(GET);
    await until(async () => (other.received().length > PART.length ? true : undefined));
    expect(other.there.destroyed).toBe(false);
  });

  test('includes what is sent in pieces, and ends when it is read', async () => {
    const { call, waitingBytes } = await open({}, (_request, response) => {
      response.setHeader('content-length', PART.length);
      for (let at = 0; at < PART.length; at += MEGABYTE) response.write(PART.subarray(at, at + MEGABYTE));
      response.end();
    });
    const slow = await call(GET, { reads: false });
    await until(async () => (waitingBytes() > MEGABYTE ? true : undefined));
    slow.socket.resume();
    await until(async () => (waitingBytes() === 0 ? true : undefined));
  });

  test('includes answers whose turn has not come, and is let go when the connection ends', async () => {
    const { call, waitingBytes } = await open({}, (_request, response) => response.end(PART));
    const deaf = await call(GET.repeat(3), { reads: false });
    await until(async () => (waitingBytes() > 2 * PART.length ? true : undefined));
    deaf.there.destroy();
    await until(async () => (waitingBytes() === 0 ? true : undefined));
  });
});

describe('a caller is cut off while a piece waits', () => {
  test('who does not read a stream of events, however it goes on', async () => {
    const { call, unread } = await open({ answerTimeout: 300 }, (_request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      const telling = setInterval(() => response.write(LARGE.subarray(0, LARGE.length / 8)), 20);
      response.once('close', () => clearInterval(telling));
    });
    const deaf = await call(GET, { reads: false });
    await deaf.cutOff;
    expect(unread).toEqual(['timeout']);
  });
});

describe('a caller is not cut off', () => {
  test('for as long as the answer is being made', async () => {
    const limits = { requestTimeout: 150, keepAliveTimeout: 100, answerTimeout: 100 };
    const waiting: ServerResponse[] = [];
    const { call } = await open(limits, (_request, response) => void waiting.push(response));
    const patient = await call(GET);
    // Others come and are cut off meanwhile, one after another: longer than any of the limits.
    for (let others = 0; others < 4; others += 1) await (await call()).cutOff;
    for (const response of waiting) response.end('ok');
    await patient.answered();
  });
});

describe('when there are as many connections as may be', () => {
  test('the one that has been idle for longest gives way to a new one, and whoever runs the service is told', async () => {
    const { call, full } = await open({ maximum: 2 });
    const [first, second] = [await call(GET), await call(GET)];
    await Promise.all([first.answered(), second.answered()]);
    expect(full).toEqual([]);
    first.socket.write(GET);
    await first.answered(2);
    // Not at once: those that have just been busy may have another request on its way.
    await until(async () => {
      const third = await call(GET);
      const isServed = Promise.race([third.answered().then(() => true), third.cutOff.then(() => undefined)]);
      return isServed;
    });
    await second.cutOff;
    expect([first.there.destroyed, full]).toEqual([false, ['full']]);
  });

  test('a new one is closed where the others have just come, or have requests under way', async () => {
    const waiting: ServerResponse[] = [];
    const { call, full } = await open({ maximum: 2 }, (_request, response) => void waiting.push(response));
    const busy = await call(GET);
    await until(async () => (waiting.length > 0 ? true : undefined));
    const young = await call();
    for (let times = 0; times < 3; times += 1) await (await call(GET)).cutOff;
    for (const response of waiting) response.end('ok');
    await busy.answered();
    expect([young.there.destroyed, full]).toEqual([false, ['full']]);
  });
});
