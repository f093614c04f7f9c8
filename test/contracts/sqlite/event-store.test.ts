// The SQLite event store keeps the port's contract, survives being killed, and projects within the append.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import { createLogFile } from '../../../src/adapters/sqlite/write-log.ts';
import { type EventToAppend, START } from '../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { allOf } from '../../support/all-of.ts';
import { reopenedFolder } from '../../support/reopened-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { eventStoreContract } from '../event-store.contract.ts';

const adapter = sqlite['event-store'];
const settings = { prefix: 'levy', logger: silentLogger };

eventStoreContract('the SQLite event store', async () => {
  const { first: store, ...opened } = await reopenedFolder((folder) =>
    adapter.open({ ...settings, url: `sqlite:${join(folder, 'events.db')}` }),
  );
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
    await log.close();
    const target = createLogFile(to.url.slice('sqlite:'.length), { areKept: true, beginsAfter: 0 });
    await target.add(recorded.slice(0, 3));
    await target.add(recorded.slice(3));
    await target.finish();
    await target.close();
    const written = await adapter.openForReading(to);
    expect(await allOf(written.events())).toEqual(recorded);
    await written.close();

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

function event(): EventToAppend {
  return { id: randomUUID(), type: 'thing-happened', data: {}, metadata: {} };
}
