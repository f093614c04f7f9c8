/**
 * Ends commands whose connection closes. If the socket is not writable immediately, the driver (7.9) waits for its event
 * `drain` or `error`. A socket that the server ended emits neither, so the command would never settle, despite the driver's
 * time limits.
 */
import { createRequire } from 'node:module';

/** Members of the driver's connection class that this file uses. */
interface DriverConnection {
  readonly error: Error | null;
  once(event: 'close', listener: () => void): void;
  off(event: 'close', listener: () => void): void;
  writeCommand(...call: unknown[]): Promise<void>;
}

let isDone = false;

/** Patches all connections of this process, once. */
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
