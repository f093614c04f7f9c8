/** Appends until the outcome is known, and remembers what was appended as a read would show it. */
import type { AppendResult, EventStore, EventToAppend, ExpectedRevision } from '../ports/event-store.ts';
import type { KnownStreams } from './known-streams.ts';
import { appendSurely } from './store-calls.ts';

export function createKnownAppend(
  store: Pick<EventStore, 'append'>,
  streams: Pick<KnownStreams, 'learn' | 'forget'>,
): (stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]) => Promise<AppendResult> {
  return async (stream, expected, events) => {
    try {
      const result = await appendSurely(store, stream, expected, events);
      if (result.outcome === 'conflict') return result;
      const { revision, position } = result;
      const [event, ...others] = events;
      // The store tells no position of the others.
      if (event === undefined || others.length > 0) streams.forget(stream);
      else streams.learn([{ ...asStored(event), stream, revision, position }]);
      return result;
    } catch (error) {
      // It may have been written, now or later.
      streams.forget(stream);
      throw error;
    }
  };
}

/** Without what JSON leaves out, and nobody else's object. */
function asStored(event: EventToAppend): EventToAppend {
  return JSON.parse(JSON.stringify(event)) as EventToAppend;
}
