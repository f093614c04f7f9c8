/** Separate HTTP listener for monitoring: serves `GET` at the given paths and nothing else. */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const MAX_REQUEST = 10_000;
const MAX_CONNECTIONS = 32;

export interface StatusAnswer {
  /** 200 when absent. */
  readonly status?: number;
  readonly contentType: string;
  readonly body: string;
}

export interface StatusListener {
  /** `http://host:port`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Rejects if it cannot listen on the address. Responds with 503 if a path's function rejects. */
export async function openStatusListener(options: {
  readonly host: string;
  readonly port: number;
  readonly paths: { readonly [path: string]: () => Promise<StatusAnswer> };
}): Promise<StatusListener> {
  const server = Fastify({
    requestTimeout: MAX_REQUEST,
    connectionTimeout: MAX_REQUEST,
    keepAliveTimeout: MAX_REQUEST,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  server.setNotFoundHandler((_request, reply) => reply.status(404).send());
  server.setErrorHandler((_error, _request, reply) => reply.status(503).send());
  for (const [path, answer] of Object.entries(options.paths)) {
    server.get(path, async (_request, reply) => {
      const { status = 200, contentType, body } = await answer();
      return reply.status(status).header('content-type', contentType).send(body);
    });
  }
  await server.listen({ host: options.host, port: options.port });
  const { address, family, port } = server.server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () => server.close(),
  };
}
