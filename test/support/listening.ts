/** A server of a test on loopback, on a free port. */
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { type Lifetime, ofTheFile } from './lifetime.ts';

/** Resolves with the port. The server is closed at the end, with all connections that it has then. */
export async function listening(server: Server, lifetime: Lifetime = ofTheFile): Promise<number> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    // A caller that is killed resets its connection; that is no fault of the test.
    socket.on('error', () => undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lifetime.atTheEnd(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of connections) socket.destroy();
    await closed;
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
