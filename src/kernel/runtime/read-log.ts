/** Reads a log once, from a position to its end at the start of the read. */

import { StoreUnavailable } from '../ports/errors.ts';
import { type EventStore, type RecordedEvent, START } from '../ports/event-store.ts';
import type { LogReader } from '../ports/log-reader.ts';

/**
 * Leaving the loop releases the subscription. Throws the errors of `subscribe`, and `StoreUnavailable` if the store is
 * closed.
 */
export async function* readLog(
  store: Pick<EventStore, 'head' | 'subscribe'>,
  { after = START, categories }: Parameters<LogReader['events']>[0] = {},
): AsyncGenerator<RecordedEvent, void> {
  const end = await store.head();
  if (end <= after) return;
  const stop = new AbortController();
  try {
    for await (const message of store.subscribe({ after, categories, signal: stop.signal })) {
      if (message.kind !== 'event') {
        if (message.position >= end) return;
        continue;
      }
      const { event } = message;
      if (event.position > end) return;
      yield event;
      if (event.position === end) return;
    }
  } finally {
    stop.abort();
  }
  throw new StoreUnavailable('the event store was closed while its log was read');
}
