/** A listener that answers `GET /metrics` and nothing else, to be put where only the monitoring can reach it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsText } from './metrics.ts';

const LONGEST_REQUEST = 10_000;
const MOST_CONNECTIONS = 32;
const LARGEST_HEADER = 8 * 1024;

export interface MetricsListener {
  /** `http://host:port`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Rejects when the address cannot be listened on. */
export async function openMetricsListener(options: {
  readonly host: string;
  readonly port: number;
  readonly text: () => Promise<MetricsText>;
}): Promise<MetricsListener> {
  const { host, port, text } = options;
  const server = createServer(
    { requestTimeout: LONGEST_REQUEST, keepAliveTimeout: LONGEST_REQUEST, maxHeaderSize: LARGEST_HEADER },
    (request, response) => {
      const [path] = (request.url ?? '').split('?', 1);
      const status = path !== '/metrics' ? 404 : request.method !== 'GET' ? 405 : 200;
      if (status !== 200) {
        response.writeHead(status, { allow: 'GET' }).end();
        return;
      }
      text().then(
        ({ contentType, body }) => response.writeHead(200, { 'content-type': contentType }).end(body),
        () => response.writeHead(503).end(),
      );
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
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
