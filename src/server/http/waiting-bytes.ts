/**
 * Counts the bytes that wait in memory for clients: answers until they are read, and requests until their turn comes. Bounds
 * how long an answer waits, and how many bytes wait on all connections together.
 */
import type { Socket } from 'node:net';

/** Why a connection was closed: its client read too slowly, or too much waited on all connections together. */
export type UnreadReason = 'timeout' | 'limit';

export interface WaitingBytes {
  /**
   * A part of an answer was written; Node hands it on in this turn. `isOpenEnded`: it may wait for longer than others,
   * because its writer limits that.
   */
  wrote(socket: Socket, isOpenEnded: boolean): void;
  /** Counts the answers of the connection anew, at once. */
  count(socket: Socket): void;
  /** Requests of so many bytes wait on the connection. */
  queued(socket: Socket, bytes: number): void;
  /** Closes the connections on which something has waited for too long. */
  closeOverdue(): void;
  total(): number;
}

interface Waiting {
  bytes: number;
  readonly isOpenEnded: boolean;
  readonly since: number;
}

export function createWaitingBytes(options: {
  /** Above it, the connection on which something has waited longest is closed, until it fits again. */
  readonly maximum: number;
  /** Milliseconds that something may wait. */
  readonly timeout: number;
  readonly closed: (reason: UnreadReason) => void;
}): WaitingBytes {
  const { maximum, timeout, closed } = options;
  /** The connection on which something waits longest comes first. */
  const waiting = new Map<Socket, Waiting>();
  const uncounted = new Map<Socket, boolean>();
  /** Bytes of requests. */
  const requests = new Map<Socket, number>();
  let total = 0;

  function forget(socket: Socket): void {
    total -= waiting.get(socket)?.bytes ?? 0;
    waiting.delete(socket);
  }

  function forgetRequests(socket: Socket): void {
    total -= requests.get(socket) ?? 0;
    requests.delete(socket);
  }

  function close(socket: Socket, reason: UnreadReason): void {
    forget(socket);
    forgetRequests(socket);
    socket.destroy();
    closed(reason);
  }

  function keepToMaximum(): void {
    for (const connections of [waiting, requests]) {
      for (const longest of connections.keys()) {
        if (total <= maximum) return;
        close(longest, 'limit');
      }
    }
  }

  function count(socket: Socket, isOpenEnded = false): void {
    const bytes = socket.destroyed ? 0 : socket.writableLength;
    if (bytes === 0) {
      forget(socket);
      return;
    }
    const known = waiting.get(socket);
    total += bytes - (known?.bytes ?? 0);
    if (known !== undefined) known.bytes = bytes;
    else waiting.set(socket, { bytes, isOpenEnded, since: performance.now() });
    keepToMaximum();
  }

  function countRest(): void {
    const sockets = [...uncounted];
    uncounted.clear();
    for (const [socket, isOpenEnded] of sockets) count(socket, isOpenEnded);
  }

  return {
    wrote(socket, isOpenEnded) {
      if (uncounted.size === 0) setImmediate(countRest);
      uncounted.set(socket, isOpenEnded);
    },
    count,
    queued(socket, bytes) {
      if (bytes === 0 || socket.destroyed) {
        forgetRequests(socket);
        return;
      }
      total += bytes - (requests.get(socket) ?? 0);
      requests.set(socket, bytes);
      keepToMaximum();
    },
    closeOverdue() {
      const latest = performance.now() - timeout;
      for (const [socket, { since, isOpenEnded }] of waiting) {
        if (since > latest) return;
        count(socket);
        if (!isOpenEnded && waiting.has(socket)) close(socket, 'timeout');
      }
    },
    total: () => total,
  };
}
