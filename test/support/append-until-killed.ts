/** Appends to the event store at the given path until it is killed, from several writers, and prints the id of each acknowledged event. */
import { randomUUID } from 'node:crypto';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';

const store = createSqliteEventStore(openSqliteDatabase(process.argv[2] ?? ''));

async function write(): Promise<never> {
  for (;;) {
    const id = randomUUID();
    await store.append(`thing-${id}`, 'none', [{ id, type: 'thing-happened', data: {}, metadata: {} }]);
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
