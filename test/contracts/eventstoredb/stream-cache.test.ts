// Stream cache contract on the EventStoreDB stand-in, and on a real server if one is configured.
import { describe, onTestFinished } from 'vitest';
import { openEventStoreDb } from '../../../src/adapters/eventstoredb/event-store.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import {
  hasEventStore,
  sharedEventStoreUrl,
  stopSharedEventStore,
  tellOfSkippedEventStore,
} from '../../support/event-store-server.ts';
import { startEventStoreStandIn } from '../../support/event-store-stand-in/server.ts';
import { type OpenLog, streamCacheContract } from '../stream-cache.contract.ts';

const openOn =
  (urlOf: () => Promise<string>): OpenLog =>
  async () => {
    const url = await urlOf();
    const prefix = `known_${randomId().slice(-12)}`;
    return async () => {
      const store = await openEventStoreDb({ url, prefix });
      onTestFinished(() => store.close());
      return store;
    };
  };

streamCacheContract(
  'the stand-in for EventStoreDB',
  openOn(async () => (await startEventStoreStandIn()).url),
);

if (!hasEventStore) tellOfSkippedEventStore('what a process knows of streams, on EventStoreDB');
stopSharedEventStore();

describe.skipIf(!hasEventStore)('with a real server,', () => {
  streamCacheContract('EventStoreDB', openOn(sharedEventStoreUrl));
});
