/** Sends bytes that no HTTP client would send, and reads what comes back until the connection ends. */
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const PATIENCE = 30_000;

/**
 * Writes the request as it is given and reads the first answer; of a stream only its head. Ask with `Connection: close` where the service would
 * keep the connection. Rejects when nothing ends the exchange within half a minute: a hang is a failure. `giveUp` ends
 * it from our side.
 */
export function exchange(
  url: string,
  request: string | Uint8Array,
  { giveUp }: { readonly giveUp?: AbortSignal } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer: ${Buffer.concat(received).toString('latin1')}`));
    }, PATIENCE);
    giveUp?.addEventListener('abort', () => socket.destroy());
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (isStream(Buffer.concat(received))) socket.destroy();
    });
    // A service that refuses early closes while we still write: what it said before counts.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answerIn(Buffer.concat(received)));
    });
  });
}

/** A request with the usual headers; `connection: close` among them. */
export function requestText(
  method: string,
  path: string,
  headers: { readonly [name: string]: string } = {},
  body = '',
): string {
  const lines = Object.entries({
    host: 'levy.test',
    connection: 'close',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Whether the head of an answer is here that never ends. */
function isStream(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  return end !== -1 && /^content-type: text\/event-stream/im.test(bytes.toString('latin1', 0, end));
}

function answerIn(bytes: Buffer): RawAnswer {
  const text = bytes.toString('utf8');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0),
    headers,
    text: text.slice(end + 4),
  };
}
