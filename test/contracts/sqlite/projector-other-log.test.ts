// A read model in a file of its own outlives its log, or goes with another: what was made of other events must go.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReadModel } from '../../../src/kernel/ports/read-model.ts';
import { type Projection, projectionsOf } from '../../../src/kernel/runtime/define-projection.ts';
import {
  Counted,
  CounterClosed,
  type CounterEvent,
  causeOf,
  counter,
  executorOn,
} from '../../support/counter.ts';
import { openProjecting, type Projecting, untilAllLive } from '../../support/projecting.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** How often a counter was counted, and a note that tells the logs apart. */
const tallies = projectionsOf<CounterEvent>()<{ times: number; note: string }>({
  name: 'tallies',
  version: 1,
  lists: { all: () => '' },
  terms: ({ note }) => [note],
  views: { whole: (document) => document },
  on: {
    Counted: {
      key: ({ stream }) => stream,
      apply: (tally, { data }) => ({ times: (tally?.times ?? 0) + 1, note: data.note ?? '' }),
    },
  },
}) as unknown as Projection;
const notes = projectionsOf<CounterEvent>()<{ note: string }>({
  name: 'notes',
  version: 1,
  on: {
    Counted: {
      key: ({ stream, data }) => `${stream}/${data.note}`,
      apply: (_before, { data }) => ({ note: data.note ?? '' }),
    },
  },
}) as unknown as Projection;

type Faulty = (readModel: ReadModel) => ReadModel;

const open = (folder: string, faulty?: Faulty) =>
  openProjecting({
    on: folder,
    projections: [tallies, notes],
    ...(faulty === undefined ? {} : { faulty }),
  });

async function count({ store }: Projecting, note: string, counters: readonly string[]): Promise<void> {
  for (const id of counters) {
    await executorOn(store).execute(counter, id, causeOf(), () => [Counted({ by: 1, note })]);
  }
}

async function caughtUp(projecting: Projecting): Promise<string> {
  await untilAllLive(projecting);
  expect(await projecting.projector.waitFor(await projecting.store.head(), 30_000)).toBe(true);
  return projecting.dump();
}

/** A folder whose log and read model know that these were counted, with nothing open. */
async function folderWith(note: string, counters: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  const projecting = open(folder);
  // The service begins its log before it projects anything.
  await count(projecting, note, counters.slice(0, 1));
  await projecting.projector.start();
  await count(projecting, note, counters.slice(1));
  await caughtUp(projecting);
  await projecting.stop();
  return folder;
}

/** The log of the one folder beside the read model of the other. */
async function mixed(logFolder: string, readModelFolder: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(join(logFolder, 'events.db'), join(folder, 'events.db'));
  await cp(join(readModelFolder, 'documents.db'), join(folder, 'documents.db'));
  return folder;
}

async function projected(folder: string): Promise<string> {
  const projecting = open(folder);
  await projecting.projector.start();
  const documents = await caughtUp(projecting);
  await projecting.stop();
  return documents;
}

/** What the log alone makes of a new file. */
async function madeAnew(logFolder: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(join(logFolder, 'events.db'), join(folder, 'events.db'));
  return projected(folder);
}

const COUNTERS = ['a', 'b', 'a', 'c', 'b', 'a'];

describe('a read model in a file of its own is built anew', () => {
  test.each([
    ['as long', COUNTERS],
    ['shorter', COUNTERS.slice(0, 2)],
    ['longer', [...COUNTERS, 'd', 'a', 'e']],
  ])('when it was made of another log that is %s', async (_length, others) => {
    const [log, other] = [await folderWith('this', COUNTERS), await folderWith('other', others)];
    const documents = await projected(await mixed(log, other));
    expect(documents).toBe(await madeAnew(log));
    expect(documents).toContain('this');
    expect(documents).not.toContain('other');
  });

  test('when it knows events that the log lacks, since the log was put back from an older copy', async () => {
    const folder = await folderWith('kept', COUNTERS);
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true });
    const later = open(folder);
    await later.projector.start();
    await count(later, 'lost', COUNTERS);
    await caughtUp(later);
    await later.stop();

    const restored = await mixed(copy, folder);
    const documents = await projected(restored);
    expect(documents).toBe(await madeAnew(copy));
    expect(documents).not.toContain('lost');

    const goingOn = open(restored);
    await goingOn.projector.start();
    await count(goingOn, 'new', ['a', 'z']);
    const after = await caughtUp(goingOn);
    await goingOn.stop();
    expect(after).toBe(await madeAnew(restored));
  });

  test.each([
    ['as long', COUNTERS],
    ['longer', [...COUNTERS, 'd', 'a', 'e']],
  ])('also when that log has grown since, and is %s as it was', async (_length, others) => {
    const folder = await folderWith('kept', COUNTERS);
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true });
    const later = open(folder);
    await later.projector.start();
    await count(later, 'lost', COUNTERS);
    await caughtUp(later);
    await later.stop();
    const elsewhere = open(copy);
    await count(elsewhere, 'new', others);
    await elsewhere.stop();

    const documents = await projected(await mixed(copy, folder));
    expect(documents).toBe(await madeAnew(copy));
    expect(documents).toContain('new');
    expect(documents).not.toContain('lost');
  });

  test('from where it is the same log, when what is lost concerned no projection', async () => {
    const folder = await folderWith('kept', COUNTERS);
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true });
    const later = open(folder);
    for (const id of ['p', 'q', 'r'])
      await executorOn(later.store).execute(counter, id, causeOf(), () => [CounterClosed({})]);
    await later.projector.start();
    await caughtUp(later);
    await later.stop();
    const elsewhere = open(copy);
    await count(elsewhere, 'new', ['a', 'd', 'a', 'e', 'f', 'g']);
    await elsewhere.stop();

    const documents = await projected(await mixed(copy, folder));
    expect(documents).toBe(await madeAnew(copy));
  });

  test('also when the process ends while it is being emptied', async () => {
    const [log, other] = [await folderWith('this', COUNTERS), await folderWith('other', COUNTERS)];
    const folder = await mixed(log, other);
    const breaking = open(folder, (readModel) => ({
      ...readModel,
      async renew(collection, keep) {
        if (collection.name === 'notes') throw new Error('the process ends here');
        return readModel.renew(collection, keep);
      },
    }));
    await expect(breaking.projector.start()).rejects.toThrow('the process ends here');
    await breaking.crash();
    expect(await projected(folder)).toBe(await madeAnew(log));
  });
});

describe('a read model in a file of its own goes on where it was', () => {
  test('when it is behind the log that it was made of: nothing is handled again', async () => {
    const folder = await folderWith('early', COUNTERS);
    const writing = open(folder);
    await count(writing, 'late', ['a']);
    await writing.stop();

    const cleared: string[] = [];
    const projecting = open(folder, (readModel) => ({
      ...readModel,
      async renew(collection, keep) {
        cleared.push(collection.name);
        return readModel.renew(collection, keep);
      },
    }));
    await projecting.projector.start();
    const documents = await caughtUp(projecting);
    await projecting.stop();
    expect(cleared).toEqual([]);
    expect(documents).toBe(await madeAnew(folder));
  });
});
