/** EventStoreDB (or KurrentDB): a log that several processes share. */
import type { Technology } from '../../ports/technology.ts';

export const eventStoreDb = {
  'event-store': {
    schemes: ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'],
    isShared: true,

    async open(settings) {
      const { openEventStoreDb } = await import('./event-store.ts');
      const store = await openEventStoreDb(settings);
      return { port: store, healthy: store.healthy, trouble: store.trouble, close: store.close };
    },
  },
} satisfies Technology;
