/** A port for a server that cannot say which one it took. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a port was asked for');
  return address.port;
}
