// The SQLite event store keeps the port's contract, survives being killed, and projects within the append.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import { type EventToAppend, type RecordedEvent, START } from '../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { allOf } from '../../support/all-of.ts';
import { reopenedFolder } from '../../support/reopened-folder.ts';
import { eventStoreContract } from '../event-store.contract.ts';

const adapter = sqlite['event-store'];
const settings = { prefix: 'levy', logger: silentLogger };

eventStoreContract('the SQLite event store', async () => {
  const { first: store, ...opened } = await reopenedFolder((folder) =>
    adapter.open({ ...settings, url: `sqlite:${join(folder, 'events.db')}` }),
  );
  return { store, ...opened };
});

eventStoreContract('the SQLite event store in one file with the read models', async () => {
  const { first: store, ...opened } = await reopenedFolder(async (folder) => {
    const url = `sqlite:${join(folder, 'all.db')}`;
    const pair = await adapter.openWithReadModel({ ...settings, url }, { apply() {} });
    return { port: pair.store, close: () => pair.close() };
  });
  return { store, ...opened };
});

describe('a copy of a log', () => {
  /** Appends to one store, copies what it recorded to another, in pieces, and opens the copy as a service does. */
  test('is the same log: opened by a service, it reads, recognizes and goes on as the original', async () => {
    const folder = await temporaryFolder();
    const from = { ...settings, url: `sqlite:${join(folder, 'from.db')}` };
    const to = { ...settings, url: `sqlite:${join(folder, 'to.db')}` };
    const original = await adapter.open(from);
    const first = [event(), event()];
    await original.port.append('thing-1', 'none', first);
    await original.port.append('other-1', 'none', [event()]);
    await original.port.append('thing-1', 1, [event()]);
    await original.close();

    const log = await adapter.openForReading(from);
    const recorded = await allOf(log.events());
    const head = Number(await log.head());
    await log.close();
    const target = await adapter.openForCopying(to, { areKept: true, sourceHead: head });
    await target.writer.add(recorded.slice(0, 3));
    await target.writer.add(recorded.slice(3));
    await target.writer.settle();
    await target.writer.finish();
    expect(await allOf(target.events())).toEqual(recorded);
    await target.close();

    const copy = await adapter.open(to);
    expect(await allOf(copy.port.read('thing-1'))).toEqual(
      recorded.filter(({ stream }) => stream === 'thing-1'),
    );
    expect(await copy.port.append('thing-1', 'none', first)).toMatchObject({
      outcome: 'appended',
      revision: 1,
    });
    expect(await copy.port.append('thing-1', 2, [event()])).toMatchObject({
      outcome: 'appended',
      revision: 3,
    });
    await copy.close();
  });

  test('that is not whole is opened by no service', async () => {
    const folder = await temporaryFolder();
    const to = { ...settings, url: `sqlite:${join(folder, 'to.db')}` };
    const target = await adapter.openForCopying(to, { areKept: false, sourceHead: 10 });
    await target.writer.add([
      { ...event(), stream: 'thing-1', revision: 0, position: '00000000000000000001' },
    ]);
    await target.close();
    await expect(adapter.open(to)).rejects.toThrow(/copy/);
  });
});

describe('inline projections', () => {
  test('are written in the same commit as the events', async () => {
    const database = await newDatabase();
    database.execute('CREATE TABLE projected (id TEXT)');
    const store = createSqliteEventStore(database, {
      inline: {
        apply: (events) => {
          for (const { id } of events) database.statement('INSERT INTO projected VALUES (?)').run(id);
        },
      },
    });
    const events = [event(), event()];
    await store.append('thing-1', 'none', events);
    const projected = database.read(() => database.statement<[string]>('SELECT id FROM projected').rows());
    expect(projected.flat()).toEqual(events.map(({ id }) => id));
  });

  test('are not called again for the same append, nor for a conflict', async () => {
    const seen: RecordedEvent[] = [];
    const store = createSqliteEventStore(await newDatabase(), {
      inline: { apply: (events) => seen.push(...events) },
    });
    const events = [event()];
    await store.append('thing-1', 'none', events);
    await store.append('thing-1', 'none', events);
    await store.append('thing-1', 'none', [event()]);
    expect(seen).toHaveLength(1);
    const read: RecordedEvent[] = [];
    for await (const each of store.read('thing-1')) read.push(each);
    expect(seen).toEqual(read);
  });

  test('that fail are undone, while the append and what `failed` notes down stand', async () => {
    const database = await newDatabase();
    database.execute('CREATE TABLE projected (note TEXT)');
    const write = (note: string) => database.statement('INSERT INTO projected VALUES (?)').run(note);
    const store = createSqliteEventStore(database, {
      inline: {
        apply: ([first]) => {
          write(`applied ${first?.stream}`);
          if (first?.stream === 'thing-2') throw new Error('broken');
        },
        failed: (error, events) => write(`${(error as Error).message} at ${events[0]?.stream}`),
      },
    });
    const results = await Promise.all(
      ['thing-1', 'thing-2', 'thing-3'].map((stream) => store.append(stream, 'none', [event()])),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['appended', 'appended', 'appended']);
    const notes = database.read(() => database.statement<[string]>('SELECT note FROM projected').rows());
    expect(notes.flat()).toEqual(['applied thing-1', 'broken at thing-2', 'applied thing-3']);
    expect(database.healthy()).toBe(true);
  });
});

test('a killed process loses nothing that it had acknowledged', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'events.db');
  const script = fileURLToPath(new URL('../../support/append-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=levy-source', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === 2_000) child.kill('SIGKILL');
  }
  await ended;

  const database = openSqliteDatabase(path);
  const store = createSqliteEventStore(database);
  const found = new Set<string>();
  for await (const message of store.subscribe({ after: START, signal: new AbortController().signal })) {
    if (message.kind === 'caught-up') break;
    if (message.kind === 'event') found.add(message.event.id);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(2_000);
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  await database.close();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function newDatabase() {
  const database = openSqliteDatabase(join(await temporaryFolder(), 'events.db'));
  onTestFinished(() => database.close());
  return database;
}

function event(): EventToAppend {
  return { id: randomUUID(), type: 'thing-happened', data: {}, metadata: {} };
}
