/** EventStoreDB through its client alone, used as the client's documentation shows. */
import { EventStoreDBClient, jsonEvent, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';
import type { MeasuredStore, StoreClientOptions } from './store-client.ts';

export async function openBareStore({ url, prefix }: StoreClientOptions): Promise<MeasuredStore> {
  const client = EventStoreDBClient.connectionString(url);
  const names = `${prefix}.`;

  return {
    async append(stream, expected, events) {
      await client.appendToStream(
        names + stream,
        events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata })),
        { expectedRevision: expected === 'none' ? NO_STREAM : BigInt(expected) },
      );
    },
    async subscribe(events) {
      const subscription = client.subscribeToAll({
        fromPosition: START,
        filter: streamNameFilter({ prefixes: [names] }),
      });
      let taken = 0;
      for await (const { event } of subscription) {
        if (event !== undefined) taken += 1;
        if (taken === events) break;
      }
      await subscription.unsubscribe();
    },
    async read(events) {
      let taken = 0;
      for await (const { event } of client.readAll({ fromPosition: START })) {
        if (event?.streamId.startsWith(names)) taken += 1;
      }
      if (taken !== events) throw new Error(`${taken} of ${events} events were read`);
    },
    close: () => client.dispose(),
  };
}
