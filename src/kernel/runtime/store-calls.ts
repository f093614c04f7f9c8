/** Calls the event store; rejects with `STORE_UNAVAILABLE` when that does not answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AppendResult,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  RecordedEvent,
} from '../ports/event-store.ts';
import { Rejection } from './rejection.ts';

const APPEND_TRIES = 3;
/** Milliseconds after which an append is not retried: a store may have retries of its own. */
const APPEND_PATIENCE = 5_000;

export async function readFrom(
  store: Pick<EventStore, 'read'>,
  stream: string,
  from?: number,
  atMost = Number.POSITIVE_INFINITY,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  try {
    for await (const event of store.read(stream, from)) {
      events.push(event);
      if (events.length >= atMost) break;
    }
  } catch (error) {
    throw storeUnavailable(error);
  }
  return events;
}

/** Tries until the outcome is known: repeating the identical call reveals it, because the store knows the events' ids. */
export async function appendSurely(
  store: Pick<EventStore, 'append'>,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.append(stream, expected, events);
    } catch (error) {
      // The call itself is wrong, and would be again.
      if (error instanceof TypeError) throw error;
      if (attempt === APPEND_TRIES || performance.now() - begun >= APPEND_PATIENCE)
        throw storeUnavailable(error);
      await sleep(50 * attempt);
    }
  }
}

export function storeUnavailable(cause: unknown): Rejection {
  return new Rejection('STORE_UNAVAILABLE', 'unavailable', 'The event store does not answer; try again.', {
    retryAfterSeconds: 2,
    cause,
  });
}
