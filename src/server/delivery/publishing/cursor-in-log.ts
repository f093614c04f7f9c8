/**
 * Finds where the bus stands in this log. Its cursor names a position and an event: after the log was moved to another
 * store, the event is at another position, and only the event counts.
 */
import { type EventStore, START } from '../../../kernel/ports/event-store.ts';
import { type PublisherCursor, PublisherRefused } from '../../../kernel/ports/publisher.ts';

/** Rejects with `PublisherRefused` where the log does not have the event at all. */
export async function inThisLog(
  cursor: PublisherCursor,
  {
    store,
    categories,
    signal,
  }: {
    readonly store: Pick<EventStore, 'idAt' | 'subscribe'>;
    /** Categories of the streams whose events have outcomes. */
    readonly categories: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<PublisherCursor> {
  const { position, eventId } = cursor;
  if (eventId === null) return cursor;
  if ((await store.idAt(position)) === eventId) return cursor;
  for await (const message of store.subscribe({ after: START, categories, signal })) {
    if (message.kind === 'event' && message.event.id === eventId)
      return { ...cursor, position: message.event.position };
    if (message.kind === 'caught-up') {
      throw new PublisherRefused(
        `the bus holds the outcome of the event ${eventId}, which this log does not have: the log was put back from an older copy. Set PUBLISHER_STREAM to another, or delete the stream to have everything published anew`,
      );
    }
  }
  return cursor;
}
