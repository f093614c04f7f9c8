/**
 * Writes server-sent events (WHATWG HTML, 9.2) as bytes that all subscribers share. better-sse 0.16 builds each event again for every
 * session, and writes it without looking at how much is buffered.
 */

export const EVENT_STREAM = 'text/event-stream';

/** A comment: keeps the connection alive, and clients ignore it. */
export const HEARTBEAT = Buffer.from(':\n\n');

/** `data` must not contain line ends; JSON text has none. */
export function eventBytes(event: {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}): Buffer {
  return Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.data}\n\n`);
}

/** Tells clients how long to wait before they reconnect. */
export function retryBytes(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${milliseconds}\n\n`);
}
