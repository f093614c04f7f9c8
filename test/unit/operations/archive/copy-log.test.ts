import { expect, test } from 'vitest';
import {
  IN_MEMORY,
  openSqliteDatabase,
  type SqliteDatabase,
} from '../../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../../src/adapters/sqlite/event-store.ts';
import { createSqliteLogReader } from '../../../../src/adapters/sqlite/log-reader.ts';
import { createLogWriter } from '../../../../src/adapters/sqlite/write-log.ts';
import type { EventStore, RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import type { LogReader } from '../../../../src/kernel/ports/log-reader.ts';
import type { LogWriter } from '../../../../src/kernel/ports/log-writer.ts';
import { firstEventOf } from '../../../../src/kernel/runtime/log-source.ts';
import { readLog } from '../../../../src/kernel/runtime/read-log.ts';
import { createAppendingWriter } from '../../../../src/operations/archive/append-log.ts';
import { copyLog } from '../../../../src/operations/archive/copy-log.ts';
import { marked, markOf, positionIn } from '../../../../src/server/delivery/feed/marked-position.ts';
import { inThisLog } from '../../../../src/server/delivery/publishing/cursor-in-log.ts';

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

function into(store: EventStore, writer: LogWriter) {
  return { events: () => readLog(store), writer };
}

function written(database: SqliteDatabase, writer: LogWriter) {
  return { events: () => createSqliteLogReader(database, 'copy').events(), writer };
}

test('a copy in another numbering has the same events in the same order, above every position of the source', async () => {
  const source = await grown(60);
  const { database } = memory(true);
  const sourceHead = Number(await source.head());
  const writer = createLogWriter(database, { areKept: false, sourceHead });
  const target = written(database, writer);
  const copied = await copyLog({ source: readerOf(source), target });
  expect(copied).toMatchObject({ events: 48, added: 48, skipped: 1 });
  const opened = createSqliteEventStore(database);
  const first = await firstEventOf(opened);
  expect(first?.position && first.position > (await source.head())).toBe(true);
  expect(await idsOf(opened)).toEqual((await idsOf(source)).filter((id) => Number(id.slice(-12)) % 5 !== 4));
  expect(opened.extentOf(await opened.head()).amount).toBe(48);
});

test('a copy of its own numbering goes on after its source has grown, and a log with other positions is refused', async () => {
  const source = await grown(30);
  const { database } = memory(true);
  const copying = async () =>
    copyLog({
      source: readerOf(source),
      target: written(
        database,
        createLogWriter(database, { areKept: false, sourceHead: Number(await source.head()) }),
      ),
    });
  await copying();
  for (let number = 30; number < 35; number += 1)
    await source.append('token-9', number === 30 ? 'none' : number - 31, [
      { id: idOf(number), type: 'Happened', data: { number }, metadata: { at: 'now' } },
    ]);
  expect(await copying()).toMatchObject({ added: 5 });
  const restored = memory(true).database;
  const writer = createLogWriter(restored, { areKept: true, sourceHead: 30 });
  for await (const event of readLog(source)) await writer.add([event]);
  await writer.finish();
  for (const areKept of [true, false])
    expect(() => createLogWriter(restored, { areKept, sourceHead: 40 })).toThrow(/move the file away/);
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
    await expect(copyLog({ source: reader, target: into(store, writer) })).rejects.toThrow('killed');
  }
  const writer = createAppendingWriter(store, 4);
  const copied = await copyLog({ source: reader, target: into(store, writer) });
  expect(copied.events).toBe(32);
  expect(copied.added).toBeLessThan(32);
  expect(await copyLog({ source: reader, target: into(store, writer) })).toEqual({
    ...copied,
    added: 0,
  });

  const before = await idsOf(store);
  const other = await grown(10, 1_000);
  await expect(copyLog({ source: readerOf(other), target: into(store, writer) })).rejects.toThrow(
    /holds another log/,
  );
  await expect(copyLog({ source: readerOf(await grown(20)), target: into(store, writer) })).rejects.toThrow(
    /has more events/,
  );
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

test('of the claims of checkpoints, which the source has cut, the target gets the last, as often as it is copied', async () => {
  const stream = 'checkpoint-of-the-log';
  const source = await grown(20);
  await source.keepLast(stream, 2);
  let claims = 0;
  const claim = async () => {
    const events = [{ id: idOf(900 + claims), type: 'CheckpointClaimed', data: { claims }, metadata: {} }];
    await source.append(stream, claims === 0 ? 'none' : claims - 1, events);
    claims += 1;
  };
  for (let count = 0; count < 5; count += 1) await claim();
  const { store } = memory();
  const copying = () =>
    copyLog({ source: readerOf(source), target: into(store, createAppendingWriter(store, 8)) });
  const carried = async () => {
    const found: unknown[] = [];
    for await (const { data, revision } of store.read(stream)) found.push([data.claims, revision]);
    return found;
  };
  await copying();
  expect(await carried()).toEqual([[4, 0]]);
  await copying();
  expect(await carried()).toEqual([[4, 0]]);
  await claim();
  await claim();
  expect(await copying()).toMatchObject({ added: 0 });
  expect(await carried()).toEqual([
    [4, 0],
    [6, 1],
  ]);
});

/** A copy into a server whose process ends at one of its writes, done or not: nothing after it happens. */
function endingAt(
  world: { readonly store: EventStore; isWhole: boolean | undefined },
  last: number,
  isDone: boolean,
) {
  let writes = 0;
  async function write<Result>(work: () => Promise<Result>): Promise<Result> {
    writes += 1;
    if (writes > last || (writes === last && !isDone)) throw new Error('the process is gone');
    const result = await work();
    if (writes === last) throw new Error('the process is gone');
    return result;
  }
  const mark = (isWhole: boolean) => () =>
    write(async () => {
      world.isWhole = isWhole;
    });
  const writer = createAppendingWriter({ append: (...call) => write(() => world.store.append(...call)) }, 1, {
    begin: mark(false),
    finish: mark(true),
  });
  return { writer, written: () => writes };
}

async function claimedLog(): Promise<EventStore> {
  const source = await grown(20);
  const data = { claims: 1 };
  await source.append('checkpoint-of-the-log', 'none', [
    { id: idOf(900), type: 'CheckpointClaimed', data, metadata: {} },
  ]);
  return source;
}

async function copiedInto(
  world: Parameters<typeof endingAt>[0],
  source: EventStore,
  last: number,
  isDone: boolean,
) {
  const { writer, written } = endingAt(world, last, isDone);
  const copied = await copyLog({ source: readerOf(source), target: into(world.store, writer) });
  return { copied, writes: written() };
}

test('whichever write of a copy is lost or not answered, a part is never told whole, and the next copy ends it', async () => {
  const source = await claimedLog();
  const whole = { store: memory().store, isWhole: undefined };
  const { copied, writes } = await copiedInto(whole, source, Number.POSITIVE_INFINITY, true);
  const expected = await idsOf(whole.store);
  expect(expected).toHaveLength(17);
  // The mark, an append for each change of stream, the claim, the mark.
  expect(writes).toBeGreaterThan(16);
  for (let last = 1; last <= writes; last += 1) {
    for (const isDone of [false, true]) {
      const world = { store: memory().store, isWhole: undefined as boolean | undefined };
      await expect(copiedInto(world, source, last, isDone)).rejects.toThrow('the process is gone');
      const there = await idsOf(world.store);
      const appends = Math.max(0, last - (isDone ? 1 : 2));
      expect([last, isDone, there]).toEqual([last, isDone, expected.slice(0, Math.min(appends, 17))]);
      expect(world.isWhole === true).toBe(last === writes && isDone);

      const again = await copiedInto(world, source, Number.POSITIVE_INFINITY, true);
      expect(await idsOf(world.store)).toEqual(expected);
      expect(again.copied).toEqual({
        ...copied,
        added: copied.events - Math.min(there.length, copied.events),
      });
      expect(world.isWhole).toBe(true);
    }
  }
});
