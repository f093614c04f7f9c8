import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteDatabase } from '../../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../../src/adapters/sqlite/event-store.ts';
import { createLogFile } from '../../../../src/adapters/sqlite/write-log.ts';
import type { EventStore, RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { firstEventOf } from '../../../../src/kernel/runtime/log-source.ts';
import { readLog } from '../../../../src/kernel/runtime/read-log.ts';
import { appendLog, countEqual } from '../../../../src/operations/archive/append-log.ts';
import { marked, markOf, positionIn } from '../../../../src/server/delivery/feed/frames.ts';
import { inThisLog } from '../../../../src/server/delivery/publishing/start-publishing.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const memory = () => createSqliteEventStore(openSqliteDatabase(':memory:'));

/** Streams that take turns, with a lease that is cut between them. */
async function grown(count: number, from = 0): Promise<EventStore> {
  const store = memory();
  await store.setMaxCount('lease-a', 1);
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

async function idsOf(store: EventStore): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of readLog(store)) ids.push(id);
  return ids;
}

async function restored(source: EventStore, store: EventStore): Promise<void> {
  const reader = { events: () => readLog(source) };
  const there = await countEqual(reader, store);
  await appendLog(reader, store, { there, progress: () => undefined });
}

/** The store of a process that ends at one of its appends, done or not: nothing after it happens. */
function endingAt(store: EventStore, last: number, isDone: boolean): EventStore {
  let appends = 0;
  return {
    ...store,
    async append(...call) {
      appends += 1;
      if (appends > last || (appends === last && !isDone)) throw new Error('the process is gone');
      const result = await store.append(...call);
      if (appends === last) throw new Error('the process is gone');
      return result;
    },
  };
}

test('a file in another numbering has the same events in the same order, above every position of the source', async () => {
  const source = await grown(60);
  const path = join(await temporaryFolder(), 'log.db');
  const file = createLogFile(path, { areKept: false, beginsAfter: Number(await source.head()) });
  for await (const event of readLog(source)) await file.add([event]);
  await file.finish();
  await file.close();
  const database = openSqliteDatabase(path);
  const opened = createSqliteEventStore(database);
  const first = await firstEventOf(opened);
  expect(first?.position && first.position > (await source.head())).toBe(true);
  expect(await idsOf(opened)).toEqual(await idsOf(source));
  expect(opened.extentOf(await opened.head()).amount).toBe((await idsOf(source)).length);
  await database.close();
});

test('whichever append of a restore is lost or not answered, the next one ends it; it leaves leases out', async () => {
  const source = await claimedLog();
  const whole = memory();
  await restored(source, whole);
  const expected = await idsOf(whole);
  const isLease = (id: string) => Number(id.slice(-12)) < 900 && Number(id.slice(-12)) % 5 === 4;
  expect(expected).toEqual((await idsOf(source)).filter((id) => !isLease(id)));
  for (let last = 1; last <= expected.length; last += 1)
    for (const isDone of [false, true]) {
      const store = memory();
      await expect(restored(source, endingAt(store, last, isDone))).rejects.toThrow('the process is gone');
      await restored(source, store);
      expect([last, isDone, await idsOf(store)]).toEqual([last, isDone, expected]);
    }
});

test('a log that differs from the backup is refused and unchanged', async () => {
  const store = memory();
  await restored(await grown(40), store);
  const before = await idsOf(store);
  await expect(restored(await grown(10, 1_000), store)).rejects.toThrow(/contains a different log/);
  await expect(restored(await grown(20), store)).rejects.toThrow(/has more than the \d+ events/);
  expect(await idsOf(store)).toEqual(before);
  await restored(await grown(40), store);
  expect(await idsOf(store)).toEqual(before);
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
  await expect(inThisLog({ ...cursor, eventId: idOf(999) }, options)).rejects.toThrow(
    /is missing from this log/,
  );
});

test('of the claims of checkpoints, which the source has cut, the store gets the last', async () => {
  const stream = 'checkpoint-of-the-log';
  const source = await grown(20);
  await source.setMaxCount(stream, 2);
  for (let claims = 0; claims < 5; claims += 1) {
    const events = [{ id: idOf(900 + claims), type: 'CheckpointClaimed', data: { claims }, metadata: {} }];
    await source.append(stream, claims === 0 ? 'none' : claims - 1, events);
  }
  const store = memory();
  for (const _round of [1, 2]) {
    await restored(source, store);
    const found: unknown[] = [];
    for await (const { data, revision } of store.read(stream)) found.push([data.claims, revision]);
    expect(found).toEqual([[4, 0]]);
  }
});

async function claimedLog(): Promise<EventStore> {
  const source = await grown(20);
  const data = { claims: 1 };
  await source.append('checkpoint-of-the-log', 'none', [
    { id: idOf(900), type: 'CheckpointClaimed', data, metadata: {} },
  ]);
  return source;
}
