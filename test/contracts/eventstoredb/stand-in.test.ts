// The EventStoreDB adapter keeps the port's contract on a stand-in, which is no real server: see test/support/event-store-stand-in.
import { eventStoreDb } from '../../../src/adapters/eventstoredb/index.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { startEventStoreStandIn } from '../../support/event-store-stand-in/server.ts';
import { eventStoreContract } from '../event-store.contract.ts';

eventStoreContract('the EventStoreDB event store, on a stand-in for the server,', async () => {
  const standIn = await startEventStoreStandIn({ lifetime: { folder: unused, atTheEnd: () => undefined } });
  const settings = { url: standIn.url, prefix: 'contract', logger: silentLogger };
  const open = () => eventStoreDb['event-store'].open(settings);
  let current = await open();
  return {
    store: current.port,
    async reopen() {
      await current.close();
      current = await open();
      return current.port;
    },
    async dispose() {
      await current.close();
      standIn.stop();
    },
  };
});

async function unused(): Promise<string> {
  throw new Error('the stand-in keeps its log in memory');
}
