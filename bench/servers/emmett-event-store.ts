/** Emmett's SQLite store behind this service's port, so that the same command runs on it behind the same HTTP. */
import { type Event, isExpectedVersionConflictError } from '@event-driven-io/emmett';
import { getSQLiteEventStore, SQLiteConnectionPool, sqliteConnection } from '@event-driven-io/emmett-sqlite';
import type { EventStore, JsonObject } from '../../src/ports/event-store.ts';

type StoredEvent = Event<string, JsonObject, JsonObject>;

/**
 * `connections`: as Emmett comes, a new one for every call; or `one`, kept, with the calls in a row, because its
 * transactions would run into each other (a call that ends first would answer before anything is committed).
 */
export function createEmmettEventStore(fileName: string, connections: 'one' | 'each call'): EventStore {
  const kept = connections === 'one' ? sqliteConnection({ fileName }) : undefined;
  const store = getSQLiteEventStore(
    kept === undefined
      ? { fileName }
      : {
          fileName,
          pool: SQLiteConnectionPool({
            fileName,
            connectionOptions: { connection: kept, singleton: true },
          }),
        },
  );
  let before: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (kept === undefined) return work();
    const result = before.then(work);
    before = result.catch(() => {});
    return result;
  }

  return {
    async append(stream, expected, events) {
      try {
        const { nextExpectedStreamVersion, lastEventGlobalPosition } = await inTurn(() =>
          store.appendToStream<StoredEvent>(
            stream,
            events.map(({ id, type, data, metadata }) => ({
              type,
              data,
              metadata: { ...metadata, messageId: id },
            })),
            { expectedStreamVersion: expected === 'none' ? 0n : BigInt(expected) + 1n },
          ),
        );
        return {
          outcome: 'appended',
          revision: Number(nextExpectedStreamVersion) - 1,
          position: String(lastEventGlobalPosition).padStart(20, '0'),
        };
      } catch (error) {
        if (isExpectedVersionConflictError(error)) return { outcome: 'conflict', actual: 'none' };
        throw error;
      }
    },
    async *read(stream) {
      const { events } = await inTurn(() => store.readStream<StoredEvent>(stream));
      for (const { type, data, metadata } of events) {
        const { messageId, streamPosition, globalPosition, streamName: _name, ...own } = metadata;
        yield {
          id: messageId,
          type,
          data,
          metadata: own,
          stream,
          revision: Number(streamPosition) - 1,
          position: String(globalPosition).padStart(20, '0'),
        };
      }
    },
    subscribe: () => {
      throw new Error('nothing here subscribes');
    },
    head: async () => '',
    close: async () => kept?.close(),
  };
}
