/** The text of a stream of server-sent events (WHATWG HTML, 9.2), as bytes. */

export const EVENT_STREAM = 'text/event-stream';

/** Keeps the connection alive, and is nothing to whoever reads it. */
export const HEARTBEAT = Buffer.from(':\n\n');

/** `data` has no line ends: JSON text has none. */
export function eventBytes(event: {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}): Buffer {
  return Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.data}\n\n`);
}

/** How long a client that lost the connection waits before it comes back. */
export function retryBytes(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${milliseconds}\n\n`);
}
