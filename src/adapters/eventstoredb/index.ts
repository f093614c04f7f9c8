/** EventStoreDB (or KurrentDB) adapter: an event log that several processes share. */
import type { StoreTrouble } from '../../kernel/ports/errors.ts';
import type { Technology } from '../../kernel/ports/technology.ts';

export const eventStoreDb = {
  'event-store': {
    schemes: ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'],
    isShared: true,

    async open(settings) {
      const { openEventStoreDb } = await import('./event-store.ts');
      const store = await openEventStoreDb(settings);
      return {
        port: store,
        trouble: () => troubleOf(store.trouble()),
        close: store.close,
      };
    },

    async openForRestore(settings) {
      const { openEventStoreDb } = await import('./event-store.ts');
      const store = await openEventStoreDb({ ...settings, isCopy: true });
      return { store, begin: store.startCopy, finish: store.finishCopy, close: store.close };
    },
  },
} satisfies Technology;

function troubleOf(reason: string | undefined): StoreTrouble | undefined {
  return reason === undefined
    ? undefined
    : {
        kind: 'not answering',
        where: 'EventStoreDB',
        reason,
        whatToDo:
          "Check the cluster, the network and the user's rights. The service continues automatically once the log answers.",
      };
}
