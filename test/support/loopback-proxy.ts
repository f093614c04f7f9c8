// The network between two processes on this machine, as bad as a test wants it: TCP on loopback, passed on, held back or cut.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Lifetime, ofTheTest } from './lifetime.ts';

export interface LoopbackProxy {
  readonly port: number;
  /** Ends every connection, and refuses new ones until `resume`. */
  cut(): void;
  /** Keeps connections and takes new ones, but passes nothing on, either way, until `resume`. What was sent waits. */
  stall(): void;
  /** Passes on what is sent to the target, but holds back what it answers, until `resume`. */
  withhold(): void;
  resume(): void;
  /** Connections that are passed on at present. */
  connections(): number;
}

/** Passes everything on to a port of this machine. Closed at the end. */
export async function openLoopbackProxy(
  target: number,
  lifetime: Lifetime = ofTheTest,
): Promise<LoopbackProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: 'pass' | 'stall' | 'withhold' | 'cut' = 'pass';

  const server = createServer((near) => {
    if (mode === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.setNoDelay(true);
      from.on('data', (chunk) => {
        if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => {
        if (mode === 'pass' || (mode === 'withhold' && from === near)) from.resume();
      });
      from.on('error', () => undefined);
      from.on('end', () => to.end());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (mode === 'stall' || (mode === 'withhold' && from === far)) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a port was asked for');
  lifetime.atTheEnd(async () => {
    for (const socket of [...pairs].flat()) socket.destroy();
    server.close();
  });

  return {
    port: address.port,
    cut() {
      mode = 'cut';
      for (const socket of [...pairs].flat()) socket.destroy();
    },
    stall() {
      mode = 'stall';
      for (const socket of [...pairs].flat()) socket.pause();
    },
    withhold() {
      mode = 'withhold';
      for (const [, far] of pairs) far.pause();
    },
    resume() {
      mode = 'pass';
      for (const socket of [...pairs].flat()) socket.resume();
    },
    connections: () => pairs.size,
  };
}
