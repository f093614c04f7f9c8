import { expect, test } from 'vitest';
import { IN_MEMORY, openSqliteDatabase, type SqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { createSqliteLogReader } from '../../../src/adapters/sqlite/log-reader.ts';
import { createLogWriter } from '../../../src/adapters/sqlite/write-log.ts';
import { createAppendingWriter } from '../../../src/archive/append-log.ts';
import { copyLog } from '../../../src/archive/copy-log.ts';
import { marked, markOf, positionIn } from '../../../src/delivery/feed/marked-position.ts';
import { inThisLog } from '../../../src/delivery/publishing/cursor-in-log.ts';
import type { EventStore, RecordedEvent } from '../../../src/ports/event-store.ts';
import type { LogReader } from '../../../src/ports/log-reader.ts';
import type { LogWriter } from '../../../src/ports/log-writer.ts';
import { firstEventOf } from '../../../src/runtime/log-source.ts';
import { readLog } from '../../../src/runtime/read-log.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

function memory(isCopy = false) {
  const database = openSqliteDatabase(IN_MEMORY);
  return { database, store: createSqliteEventStore(database, isCopy ? { isCopy } : {}) };
}

/** Streams that take turns, with a lease that is cut between them. */
async function grown(count: number, from = 0): Promise<EventStore> {
  const { store } = memory();
  await store.keepLast('lease-a', 1);
  const revisions = new Map<string, number>();
  for (let number = from; number < from + count; number += 1) {
    const stream = number % 5 === 4 ? 'lease-a' : `token-${number % 3}`;
    const last = revisions.get(stream);
    const event = { id: idOf(number), type: 'Happened', data: { number }, metadata: { at: 'now' } };
    await store.append(stream, last ?? 'none', [event]);
    revisions.set(stream, (last ?? -1) + 1);
  }
  return store;
}

const readerOf = (store: EventStore): LogReader => ({
  events: (options) => readLog(store, options),
  stream: (name, from) => store.read(name, from),
  head: () => store.head(),
  extentOf: store.extentOf,
  close: () => store.close(),
});

async function idsOf(store: EventStore): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of readLog(store)) ids.push(id);
  return ids;
}

function into(store: EventStore, writer: LogWriter, takesAll: boolean) {
  return { events: () => readLog(store), writer, takesAll };
}

function written(database: SqliteDatabase, writer: LogWriter, takesAll: boolean) {
  return { events: () => createSqliteLogReader(database, 'copy').events(), writer, takesAll };
}

test('a copy in another numbering has the same events in the same order, above every position of the source', async () => {
  const source = await grown(60);
  const { database } = memory(true);
  const sourceHead = Number(await source.head());
  const target = written(database, createLogWriter(database, { areKept: false, sourceHead }), false);
  const copied = await copyLog({ source: readerOf(source), target });
  expect(copied).toMatchObject({ events: 48, added: 48, skipped: 1 });
  const opened = createSqliteEventStore(database);
  const first = await firstEventOf(opened);
  expect(first?.position && first.position > (await source.head())).toBe(true);
  expect(await idsOf(opened)).toEqual((await idsOf(source)).filter((id) => Number(id.slice(-12)) % 5 !== 4));
  expect(opened.extentOf(await opened.head()).amount).toBe(48);
});

test('a copy that keeps positions keeps the streams that are cut', async () => {
  const source = await grown(30);
  const { database } = memory(true);
  const target = written(database, createLogWriter(database, { areKept: true, sourceHead: 30 }), true);
  await copyLog({ source: readerOf(source), target });
  const opened = createSqliteEventStore(database);
  expect(await idsOf(opened)).toEqual(await idsOf(source));
  expect(await opened.head()).toBe(await source.head());
});

test('given a copy that stopped anywhere, the next one goes on there; a log that differs is refused and unchanged', async () => {
  const source = await grown(40);
  const { store } = memory();
  const reader = readerOf(source);
  for (const stopAt of [1, 7, 20]) {
    let left = stopAt;
    const writer = createAppendingWriter(
      {
        append: (...call) => {
          if (left === 0) return Promise.reject(new Error('killed'));
          left -= 1;
          return store.append(...call);
        },
      },
      4,
    );
    await expect(copyLog({ source: reader, target: into(store, writer, false) })).rejects.toThrow('killed');
  }
  const writer = createAppendingWriter(store, 4);
  const copied = await copyLog({ source: reader, target: into(store, writer, false) });
  expect(copied.events).toBe(32);
  expect(copied.added).toBeLessThan(32);
  expect(await copyLog({ source: reader, target: into(store, writer, false) })).toEqual({
    ...copied,
    added: 0,
  });

  const before = await idsOf(store);
  const other = await grown(10, 1_000);
  await expect(copyLog({ source: readerOf(other), target: into(store, writer, false) })).rejects.toThrow(
    /holds another log/,
  );
  await expect(
    copyLog({ source: readerOf(await grown(20)), target: into(store, writer, false) }),
  ).rejects.toThrow(/has more events/);
  expect(await idsOf(store)).toEqual(before);
});

test('a part of a copy is refused by a service', async () => {
  const source = await grown(10);
  const { database } = memory(true);
  const writer = createLogWriter(database, { areKept: true, sourceHead: 10 });
  const events: RecordedEvent[] = [];
  for await (const event of readLog(source)) events.push(event);
  await writer.add(events.slice(0, 3));
  expect(() => createSqliteEventStore(database)).toThrow(/not finished/);
  await writer.finish();
  expect(await idsOf(createSqliteEventStore(database))).toEqual(events.slice(0, 3).map(({ id }) => id));
});

test('ids of another numbering are told apart, and ids without a mark resume', async () => {
  const one = markOf({ id: idOf(0), position: '1' });
  const other = markOf({ id: idOf(0), position: '900' });
  expect(positionIn(marked('42', one), one)).toBe('42');
  expect(positionIn(marked('42', one), other)).toBeUndefined();
  expect(positionIn('42', one)).toBe('42');
});

test('the bus goes on after its last event, wherever that is in this log', async () => {
  const store = await grown(30);
  const signal = new AbortController().signal;
  const options = { store, categories: ['token'], signal };
  const lost = new Promise<Error>(() => undefined);
  const events: RecordedEvent[] = [];
  for await (const event of readLog(store)) events.push(event);
  const there = events.find(({ stream, revision }) => stream === 'token-1' && revision === 3);
  const cursor = { position: '00000000000000123456', eventId: there?.id ?? '', alreadyStored: 2, lost };
  expect(await inThisLog(cursor, options)).toEqual({ ...cursor, position: there?.position });
  await expect(inThisLog({ ...cursor, eventId: idOf(999) }, options)).rejects.toThrow(/does not have/);
});
