/** NATS server with JetStream for one benchmark, from PATH, on loopback. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { LeftOut } from './line.ts';
import { type ServerProgram, startProgram } from './server-program.ts';

export interface NatsServer extends ServerProgram {
  /** Port on 127.0.0.1. */
  readonly port: number;
}

const PROGRAM = 'nats-server';

/** Stores its messages in the folder. */
export async function startNatsServer(folder: string): Promise<NatsServer | LeftOut> {
  if (spawnSync(PROGRAM, ['--version']).status !== 0) return { leftOut: `${PROGRAM} is not in PATH` };
  const port = await freePort();
  const store = join(folder, 'jetstream');
  const program = await startProgram(
    [PROGRAM, '-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store],
    (signal) => greets(port, signal),
  );
  return { port, ...program };
}

async function greets(port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data', { signal });
    return true;
  } finally {
    socket.destroy();
  }
}
