/** Sends requests over connections that are kept, and reads what comes back: of a stream only its beginning. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Header } from './headers.ts';
import type { FuzzRequest } from './requests.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for a stream, which was left. */
  readonly bytes: Buffer | undefined;
}

/** The service closed the connection without a word. */
export interface Cut {
  readonly status: 0;
  readonly reason: string;
}

export interface Transport {
  /** Rejects if there is neither an answer nor an end of the connection in time. */
  send(request: FuzzRequest): Promise<Answer | Cut>;
  close(): void;
}

/** Milliseconds for which nothing may come. Longer than any call waits for the chain. */
const PATIENCE = 45_000;

export function createTransport(url: string, connections: number): Transport {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function once({ method, target, headers, body, chunked }: FuzzRequest): Promise<Answer | Cut> {
    return new Promise((resolve, reject) => {
      const all = [
        ...(headers.some(([name]) => name === 'host') ? [] : [['host', `${hostname}:${port}`] as const]),
        ...headers,
        ...lengthOf(method, body, chunked),
      ];
      const sent = httpRequest({ agent, hostname, port, method, path: target, headers: all.flat() });
      const timer = setTimeout(() => {
        reject(new Error('there was no answer'));
        sent.destroy();
      }, PATIENCE);
      sent.once('close', () => clearTimeout(timer));
      sent.once('response', (response) => {
        // A backup comes in pieces, and takes its time while the service is busy.
        response.on('data', () => timer.refresh());
        read(response, method).then(resolve, (error: Error) => resolve({ status: 0, reason: error.message }));
      });
      sent.once('error', (error: Error & { code?: string }) => {
        resolve({
          status: 0,
          reason: `${sent.reusedSocket ? 'reused: ' : ''}${error.code ?? error.message}`,
        });
      });
      if (body !== undefined && chunked) {
        sent.write(body.subarray(0, body.length / 2));
        sent.end(body.subarray(body.length / 2));
      } else sent.end(body);
    });
  }

  return {
    async send(request) {
      const answer = await once(request);
      // A connection that was idle for long is closed just when it is to be used: that says nothing of the request.
      return answer.status === 0 && 'reason' in answer && answer.reason.startsWith('reused')
        ? once(request)
        : answer;
    },
    close: () => agent.destroy(),
  };
}

/** Who sends nothing says so where something could be sent. */
function lengthOf(method: string, body: Buffer | undefined, chunked: boolean): readonly Header[] {
  if (body !== undefined && chunked) return [['transfer-encoding', 'chunked']];
  if (body !== undefined) return [['content-length', String(body.length)]];
  return ['POST', 'PATCH', 'PUT'].includes(method) ? [['content-length', '0']] : [];
}

function read(response: IncomingMessage, method: string): Promise<Answer> {
  const { statusCode: status = 0, rawHeaders } = response;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (headers.get('content-type')?.startsWith('text/event-stream') && method !== 'HEAD') {
    return new Promise((resolve) => {
      response.on('error', () => undefined);
      response.once('data', () => response.destroy());
      response.once('close', () => resolve({ status, headers, bytes: undefined }));
      // Nothing may come for as long as nothing happens.
      setTimeout(() => response.destroy(), 20).unref();
    });
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    response.once('end', () => resolve({ status, headers, bytes: decoded(Buffer.concat(chunks), headers) }));
  });
}

/** The bytes without the coding that the answer names; those to HEAD are none. */
function decoded(bytes: Buffer, headers: Headers): Buffer {
  if (bytes.length === 0) return bytes;
  switch (headers.get('content-encoding')) {
    case 'br':
      return brotliDecompressSync(bytes);
    case 'gzip':
      return gunzipSync(bytes);
    default:
      return bytes;
  }
}
