/**
 * Emmett's SQLite store as this service's event store port, so that the same command runs on it behind the same
 * HTTP.
 */
import { type Event, isExpectedVersionConflictError } from '@event-driven-io/emmett';
import { getSQLiteEventStore, SQLiteConnectionPool, sqliteConnection } from '@event-driven-io/emmett-sqlite';
import type { EventStore, JsonObject } from '../../src/kernel/ports/event-store.ts';

type StoredEvent = Event<string, JsonObject, JsonObject>;

/**
 * Uses one open connection, with one call at a time. By default, the store opens a connection for each call, and 32
 * concurrent callers end the process with SQLITE_BUSY. On a shared connection, concurrent transactions would mix,
 * and a call could return before anything is committed.
 */
export function createEmmettEventStore(fileName: string): EventStore {
  const connection = sqliteConnection({ fileName });
  const pool = SQLiteConnectionPool({ fileName, connectionOptions: { connection, singleton: true } });
  const store = getSQLiteEventStore({ fileName, pool });
  let before: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
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
    readBackwards: () => {
      throw new Error('nothing here reads backwards');
    },
    readWindow: () => {
      throw new Error('nothing here looks through the log');
    },
    subscribe: () => {
      throw new Error('nothing here subscribes');
    },
    head: async () => '',
    idAt: async () => undefined,
    mayHave: async () => true,
    extentOf: (position) => ({ unit: 'events', amount: Number(position) }),
    setMaxCount: async () => {
      throw new Error('nothing here grows for ever');
    },
    close: async () => connection.close(),
  };
}
