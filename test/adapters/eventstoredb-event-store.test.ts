// The EventStoreDB adapter keeps the port's contract on a real server.
import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { openEventStoreDb } from '../../src/adapters/eventstoredb-event-store.ts';
import { eventStoreContract } from '../contracts/event-store.contract.ts';
import {
  hasEventStore,
  sharedEventStoreUrl,
  stopSharedEventStore,
  tellOfSkippedEventStore,
} from '../support/event-store-server.ts';

if (!hasEventStore) tellOfSkippedEventStore('the contract of an event store on EventStoreDB');
stopSharedEventStore();

describe.skipIf(!hasEventStore)('with a real server,', () => {
  eventStoreContract('the EventStoreDB event store', async () => {
    const url = await sharedEventStoreUrl();
    const prefix = `test${randomUUID().replaceAll('-', '')}`;
    const open = () => openEventStoreDb({ url, prefix });
    let current = await open();
    return {
      store: current,
      async reopen() {
        await current.close();
        current = await open();
        return current;
      },
      dispose: () => current.close(),
    };
  });
});
