/**
 * Sends requests over persistent connections and measures their latency. Works on sockets, because a client that
 * costs more than the server would dominate the measurement. Supports only the HTTP that its servers send: a
 * content-length, and no chunked encoding.
 */
import { connect, type Socket } from 'node:net';
import { quantile } from './alternate.ts';
import { type LoadJob, type LoadResult, SERIAL } from './load.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING: Buffer = Buffer.alloc(0);

process.on('message', (job: LoadJob) => {
  generate(job).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));

async function generate(job: LoadJob): Promise<LoadResult> {
  const { hostname, port } = new URL(job.url);
  const requests = job.paths.map((path) => requestOf(job, path));
  const nextSerial = serialsOf(job);
  const begin = performance.now() + job.warmUpMilliseconds;
  const end = begin + job.milliseconds;
  const taken: number[] = [];
  let bytes = 0;
  let answers = 0;
  await Promise.all(
    Array.from({ length: job.connections }, (_, number) =>
      keepAsking(
        connect(Number(port), hostname),
        senderOf(requests, number, nextSerial),
        end,
        (sentAt, at, length) => {
          answers += 1;
          if (at < begin || at >= end) return;
          taken.push(at - sentAt);
          bytes = length;
        },
      ),
    ),
  );
  const ascending = Float64Array.from(taken).sort();
  return {
    rate: (taken.length * 1_000) / job.milliseconds,
    answers,
    p50: quantile(ascending, 0.5),
    p95: quantile(ascending, 0.95),
    bytes,
  };
}

function requestOf({ url, method, headers = {}, body }: LoadJob, path: string): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['content-type: application/json']),
    ...(method === 'POST' ? [`content-length: ${Buffer.byteLength(body ?? '')}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

function serialsOf({ serials }: LoadJob): (() => number) | undefined {
  if (serials === undefined) return undefined;
  const { first, count = Number.POSITIVE_INFINITY } = serials;
  let next = 0;
  return () => first + (next++ % count);
}

/** Returns the next request of a connection. Each request must be answered before the next is requested. */
function senderOf(
  requests: readonly Buffer[],
  first: number,
  nextSerial: (() => number) | undefined,
): () => Buffer {
  let next = first;
  const inOrder = (own: readonly Buffer[]) => own[next++ % own.length] ?? NOTHING;
  if (nextSerial === undefined) return () => inOrder(requests);
  const own = requests.map((request) => Buffer.from(request));
  const places = new Map<Buffer, readonly number[]>(own.map((request) => [request, placesOf(request)]));
  return () => {
    const request = inOrder(own);
    const digits = String(nextSerial()).padStart(SERIAL.length, '0');
    for (const place of places.get(request) ?? []) request.write(digits, place, 'latin1');
    return request;
  };
}

function placesOf(request: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = request.indexOf(SERIAL); at !== -1; at = request.indexOf(SERIAL, at + 1)) places.push(at);
  return places;
}

function keepAsking(
  socket: Socket,
  nextRequest: () => Buffer,
  end: number,
  answered: (sentAt: number, at: number, length: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let head = NOTHING;
    let length = 0;
    let missing: number | undefined;

    function ask(): void {
      head = NOTHING;
      missing = undefined;
      sentAt = performance.now();
      socket.write(nextRequest());
    }

    /** The bytes of the body that were received with the head; undefined while the head is incomplete. */
    function readHead(chunk: Buffer): number | undefined {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const at = head.indexOf(HEAD_END);
      if (at === -1) return undefined;
      const text = head.toString('latin1', 0, at);
      const found = /^content-length: (\d+)/im.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200') || found === undefined) {
        throw new Error(`an answer that was not expected: ${head.toString('latin1', 0, 1_000)}`);
      }
      length = Number(found);
      missing = length;
      return head.length - at - HEAD_END.length;
    }

    socket.setNoDelay(true);
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      try {
        const arrived = missing === undefined ? readHead(chunk) : chunk.length;
        if (arrived === undefined || missing === undefined) return;
        missing -= arrived;
        if (missing > 0) return;
        const at = performance.now();
        answered(sentAt, at, length);
        if (at < end) return ask();
        resolve();
        socket.destroy();
      } catch (error) {
        reject(error);
        socket.destroy();
      }
    });
  });
}
