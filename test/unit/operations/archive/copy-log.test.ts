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
  const { writer } = createLogWriter(database, { areKept: false, sourceHead });
  const target = written(database, writer, false);
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
  const { writer } = createLogWriter(database, { areKept: true, sourceHead: 30 });
  const target = written(database, writer, true);
  await copyLog({ source: readerOf(source), target });
  const opened = createSqliteEventStore(database);
  expect(await idsOf(opened)).toEqual(await idsOf(source));
  expect(await opened.head()).toBe(await source.head());
});

/** Copies the whole of a stopped service's file, as the command does each time it is run. */
async function copyWhole(
  source: EventStore,
  database: SqliteDatabase,
  killedAfter = Number.POSITIVE_INFINITY,
) {
  const head = await source.head();
  const { writer, arePositionsKept } = createLogWriter(database, {
    areKept: true,
    sourceHead: Number(head),
    sourceBeginsAfter: Number(head) - source.extentOf(head).amount,
  });
  let left = killedAfter;
  const killed: LogWriter = {
    ...writer,
    async add(events) {
      await writer.add(events.slice(0, left));
      left -= events.length;
      if (left < 0) throw new Error('killed');
    },
  };
  return copyLog({ source: readerOf(source), target: written(database, killed, arePositionsKept) });
}

async function goOn(store: EventStore, from: number, count: number): Promise<void> {
  const last = new Map<string, number>();
  for await (const { stream, revision } of readLog(store)) last.set(stream, revision);
  for (let number = from; number < from + count; number += 1) {
    const stream = number % 3 === 0 ? 'lease-a' : `token-${number % 3}`;
    const revision = last.get(stream);
    await store.append(stream, revision ?? 'none', [
      { id: idOf(number), type: 'Happened', data: { number }, metadata: { at: 'now' } },
    ]);
    last.set(stream, (revision ?? -1) + 1);
  }
}

test('a copy that keeps positions goes on after the source was used and has cut leases, wherever it was killed', async () => {
  for (const killedAfter of [3, 10, Number.POSITIVE_INFINITY]) {
    const source = await grown(30);
    const { database } = memory(true);
    const first = copyWhole(source, database, killedAfter);
    if (killedAfter === Number.POSITIVE_INFINITY) await first;
    else await expect(first).rejects.toThrow('killed');
    for (const from of [100, 200]) {
      await goOn(source, from, 10);
      const { dropped } = await copyWhole(source, database);
      if (killedAfter === Number.POSITIVE_INFINITY) expect(dropped).toBe(1);
      const opened = createSqliteEventStore(database);
      expect(await idsOf(opened)).toEqual(await idsOf(source));
      expect(await opened.head()).toBe(await source.head());
    }
    expect(await copyWhole(source, database)).toMatchObject({ added: 0, dropped: 0 });
  }
});

test('a copy that a service has used is refused with all that it has, also where it wrote leases alone', async () => {
  for (const use of [
    (store: EventStore) => goOn(store, 300, 4),
    (store: EventStore) => goOn(store, 300, 1),
  ]) {
    const source = await grown(30);
    const { database } = memory(true);
    await copyWhole(source, database);
    const copy = createSqliteEventStore(database);
    await use(copy);
    const before = await idsOf(copy);
    await expect(copyWhole(source, database)).rejects.toThrow(/has been used since it was copied/);
    await goOn(source, 100, 10);
    await expect(copyWhole(source, database)).rejects.toThrow(/has been used since it was copied/);
    expect(await idsOf(createSqliteEventStore(database))).toEqual(before);
  }
});

test('a copy that was begun with positions of its own is ended from the file, without leases; one with those of its source is not renumbered', async () => {
  const source = await grown(30);
  const { database } = memory(true);
  const sourceHead = Number(await source.head());
  const { writer } = createLogWriter(database, { areKept: false, sourceHead });
  await copyLog({ source: readerOf(source), target: written(database, writer, false) });
  await goOn(source, 100, 10);
  expect(await copyWhole(source, database)).toMatchObject({ added: 7 });
  const [first] = await idsOf(createSqliteEventStore(database));
  expect(first).toBe(idOf(0));

  const { database: kept } = memory(true);
  await copyWhole(source, kept);
  expect(() => createLogWriter(kept, { areKept: false, sourceHead: 40 })).toThrow(/move the file away/);

  // A log whose positions do not begin at 1 keeps them too.
  const { database: second } = memory(true);
  const numbered = createSqliteEventStore(database);
  await copyWhole(numbered, second);
  await goOn(numbered, 200, 5);
  expect(await copyWhole(numbered, second)).toMatchObject({ added: 5 });
  const opened = createSqliteEventStore(second);
  const head = await opened.head();
  expect([head, opened.extentOf(head)]).toEqual([await numbered.head(), numbered.extentOf(head)]);
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
  const { writer } = createLogWriter(database, { areKept: true, sourceHead: 10 });
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
    copyLog({ source: readerOf(source), target: into(store, createAppendingWriter(store, 8), false) });
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
  const copied = await copyLog({ source: readerOf(source), target: into(world.store, writer, false) });
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
