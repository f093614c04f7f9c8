// Stream cache contract on SQLite.
import { temporaryEventStore } from '../../support/temporary-event-store.ts';
import { streamCacheContract } from '../stream-cache.contract.ts';

streamCacheContract('SQLite', async () => {
  const store = await temporaryEventStore();
  return async () => store;
});
