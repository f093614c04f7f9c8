/**
 * Ends the commands of connections that close. The driver (7.9) writes a command, and where the socket takes it not at once
 * waits for `drain` or `error`. A socket that was destroyed without an error, because the server has ended it, sends
 * neither: the command would never come to anything, and no time limit of the driver ends it.
 */
import { createRequire } from 'node:module';

/** The part of the driver's own class that is used here. */
interface DriverConnection {
  readonly error: Error | null;
  once(event: 'close', listener: () => void): void;
  off(event: 'close', listener: () => void): void;
  writeCommand(...call: unknown[]): Promise<void>;
}

let isDone = false;

/** For all connections of this process, once. */
export function endCommandsOfClosedConnections(): void {
  if (isDone) return;
  isDone = true;
  const load = createRequire(import.meta.url);
  const { prototype } = load('mongodb/lib/cmap/connection.js').Connection as { prototype: DriverConnection };
  const write = prototype.writeCommand;
  prototype.writeCommand = async function (...call) {
    let close = () => {};
    const closed = new Promise<never>((_, reject) => {
      close = () => reject(this.error ?? new Error('the connection is closed'));
      this.once('close', close);
    });
    try {
      await Promise.race([write.apply(this, call), closed]);
    } finally {
      this.off('close', close);
    }
  };
}
