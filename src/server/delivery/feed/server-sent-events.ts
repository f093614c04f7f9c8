/**
 * Writes server-sent events (WHATWG HTML, 9.2) as bytes that all subscribers share. better-sse 0.16 builds each event again for every
 * session, and writes it without looking at how much is buffered.
 */

export const EVENT_STREAM = 'text/event-stream';

/** A comment: keeps the connection alive. Without an empty line, at which some clients deliver an event that is empty. */
export const HEARTBEAT = Buffer.from(':\n');

/** `data` must not contain line ends; JSON text has none. */
export function eventBytes(event: {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}): Buffer {
  return Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.data}\n\n`);
}

/** How long clients wait before they reconnect. Part of the block that follows, as the heartbeat is. */
export function retryBytes(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${milliseconds}\n`);
}
