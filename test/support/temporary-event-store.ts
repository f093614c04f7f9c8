/** A real event store in memory, for one test. */
import { onTestFinished } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { type EventStore, type RecordedEvent, START } from '../../src/kernel/ports/event-store.ts';

export async function temporaryEventStore(): Promise<EventStore> {
  const database = openSqliteDatabase(':memory:');
  onTestFinished(() => database.close());
  const store = createSqliteEventStore(database);
  onTestFinished(() => store.close());
  return store;
}

/** Everything in the log, in order. */
export async function wholeLog(store: EventStore): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const message of store.subscribe({ after: START, signal: new AbortController().signal })) {
    if (message.kind === 'caught-up') break;
    if (message.kind === 'event') events.push(message.event);
  }
  return events;
}
