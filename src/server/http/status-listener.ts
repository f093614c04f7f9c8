/** A separate HTTP listener for monitoring: answers `GET` at the given paths and nothing else. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createHttpServer } from './connections.ts';
import { answerUnreadable } from './refuse.ts';

const LONGEST_REQUEST = 10_000;
const MOST_CONNECTIONS = 32;
const MOST_WAITING = 8 * 1024 * 1024;

const UNOBSERVED = {
  full: () => undefined,
  overfull: () => undefined,
  unread: () => undefined,
  watchWaiting: () => undefined,
};

export interface StatusAnswer {
  /** 200 when absent. */
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

export interface StatusListener {
  /** `http://host:port`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Rejects when it cannot listen on the address. Answers 503 where a path's function rejects. */
export async function openStatusListener(options: {
  readonly host: string;
  readonly port: number;
  readonly paths: { readonly [path: string]: () => Promise<StatusAnswer> };
}): Promise<StatusListener> {
  const { host, port } = options;
  const paths = new Map(Object.entries(options.paths));
  const server = createHttpServer(
    (request, response) => {
      const answer = paths.get(request.url?.split('?', 1)[0] ?? '');
      if (answer === undefined || request.method !== 'GET') {
        response.writeHead(answer === undefined ? 404 : 405, { allow: 'GET' }).end();
        return;
      }
      answer().then(
        ({ status = 200, contentType, body }) =>
          response.writeHead(status, { 'content-type': contentType }).end(body),
        () => response.writeHead(503).end(),
      );
    },
    {
      maximum: MOST_CONNECTIONS,
      requestTimeout: LONGEST_REQUEST,
      keepAliveTimeout: LONGEST_REQUEST,
      answerTimeout: LONGEST_REQUEST,
      answersBuffer: MOST_WAITING,
    },
    UNOBSERVED,
  );
  server.on('clientError', (error, socket) => answerUnreadable(error, socket as Socket, () => undefined));
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: actual } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
