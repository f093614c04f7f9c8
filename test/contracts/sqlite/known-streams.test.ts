// What a process knows of streams, on SQLite.
import { temporaryEventStore } from '../../support/temporary-event-store.ts';
import { knownStreamsContract } from '../known-streams.contract.ts';

knownStreamsContract('SQLite', async () => {
  const store = await temporaryEventStore();
  return async () => store;
});
