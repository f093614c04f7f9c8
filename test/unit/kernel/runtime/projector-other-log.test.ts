// A read model outlives its log, or goes with another: what was made of other events must go.
import { expect, test } from 'vitest';
import type { ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import { type Projection, projectionsOf } from '../../../../src/kernel/runtime/define-projection.ts';
import {
  Counted,
  CounterClosed,
  type CounterEvent,
  causeOf,
  counter,
  executorOn,
} from '../../../support/counter.ts';
import { type Disk, memoryDisk } from '../../../support/memory-disk.ts';
import { openProjecting, type Projecting, untilAllLive } from '../../../support/projecting.ts';
import { appendRecorded } from '../../../support/recorded-events.ts';
import { wholeLog } from '../../../support/temporary-event-store.ts';

/** How often a counter was counted, and a note that tells the logs apart. */
const tallies = projectionsOf<CounterEvent>()<{ times: number; note: string }>({
  name: 'tallies',
  version: 1,
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

const open = (on: Disk, faulty = (readModel: ReadModel) => readModel) =>
  openProjecting({ on, projections: [tallies, notes], faulty });

async function count({ store }: Projecting, note: string, counters: readonly string[]): Promise<void> {
  for (const id of counters) {
    await executorOn(store).execute(counter, id, causeOf(), () => [Counted({ by: 1, note })]);
  }
}

/** Appends to the log while nothing projects it. */
async function record(on: Disk, note: string, counters: readonly string[]): Promise<void> {
  const writing = open(on);
  await count(writing, note, counters);
  await writing.stop();
}

/** Starts, counts these, and ends with everything projected. */
async function projected(on: Disk, note = '', counters: readonly string[] = []): Promise<string> {
  const projecting = open(on);
  await projecting.projector.start();
  await count(projecting, note, counters);
  await untilAllLive(projecting);
  expect(await projecting.projector.waitFor(await projecting.store.head(), 30_000)).toBe(true);
  const documents = projecting.dump();
  await projecting.stop();
  return documents;
}

/** A log and a read model that know that these were counted. */
async function diskWith(note: string, counters: readonly string[]): Promise<Disk> {
  const disk = memoryDisk();
  // The service begins its log before it projects anything.
  await record(disk, note, counters.slice(0, 1));
  await projected(disk, note, counters.slice(1));
  return disk;
}

/** The log as it is now, at the same positions, without a read model. */
async function copyOf(disk: Disk): Promise<Disk> {
  const original = open(disk);
  const events = await wholeLog(original.store);
  await original.stop();
  const copy = memoryDisk();
  const restored = open(copy);
  await appendRecorded(restored.store, events);
  await restored.stop();
  return copy;
}

/** The log of the one beside the read model of the other. */
const mixed =
  (log: Disk, readModel: Disk): Disk =>
  (name) =>
    name === 'events.db' ? log(name) : readModel(name);

/** The documents that the log alone gives in a new file. */
const madeAnew = (log: Disk) => projected(mixed(log, memoryDisk()));

const COUNTERS = ['a', 'b', 'a', 'c', 'b', 'a'];
const MORE = [...COUNTERS, 'd', 'a', 'e'];

test.each([
  ['as long', COUNTERS],
  ['shorter', COUNTERS.slice(0, 2)],
  ['longer', MORE],
])('what was made of another log that is %s is made anew', async (_length, others) => {
  const [log, other] = [await diskWith('this', COUNTERS), await diskWith('other', others)];
  const documents = await projected(mixed(log, other));
  expect(documents).toBe(await madeAnew(log));
  expect(documents).toContain('this');
  expect(documents).not.toContain('other');
});

test.each([
  ['', []],
  [', although it has grown to the same length since', COUNTERS],
  [', although it has grown beyond it since', MORE],
])('what was made of events that the log lacks, since it was put back, is made anew%s', async (_since, others) => {
  const disk = await diskWith('kept', COUNTERS);
  const copy = await copyOf(disk);
  await projected(disk, 'lost', COUNTERS);
  await record(copy, 'new', others);
  const restored = mixed(copy, disk);
  const documents = await projected(restored);
  expect(documents).toBe(await madeAnew(copy));
  expect(documents).not.toContain('lost');
  expect(await projected(restored, 'later', ['a', 'z'])).toBe(await madeAnew(copy));
});

test('what the log lost that concerned no projection is no reason: its documents go on from where it is the same', async () => {
  const disk = await diskWith('kept', COUNTERS);
  const copy = await copyOf(disk);
  const later = open(disk);
  for (const id of ['p', 'q', 'r'])
    await executorOn(later.store).execute(counter, id, causeOf(), () => [CounterClosed({})]);
  await later.stop();
  await projected(disk);
  await record(copy, 'new', ['a', 'd', 'a', 'e', 'f', 'g']);
  expect(await projected(mixed(copy, disk))).toBe(await madeAnew(copy));
});

test('a process that ends while a read model is being emptied leaves the rest to the next one', async () => {
  const [log, other] = [await diskWith('this', COUNTERS), await diskWith('other', COUNTERS)];
  const disk = mixed(log, other);
  const breaking = open(disk, (readModel) => ({
    ...readModel,
    async renew(collection, keep) {
      if (collection.name === 'notes') throw new Error('the process ends here');
      return readModel.renew(collection, keep);
    },
  }));
  await expect(breaking.projector.start()).rejects.toThrow('the process ends here');
  await breaking.crash();
  expect(await projected(disk)).toBe(await madeAnew(log));
});

test('a read model that is behind the log that it was made of is not emptied', async () => {
  const disk = await diskWith('early', COUNTERS);
  await record(disk, 'late', ['a']);
  const cleared: string[] = [];
  const projecting = open(disk, (readModel) => ({
    ...readModel,
    async renew(collection, keep) {
      cleared.push(collection.name);
      return readModel.renew(collection, keep);
    },
  }));
  await projecting.projector.start();
  await untilAllLive(projecting);
  await projecting.stop();
  expect(cleared).toEqual([]);
  expect(await projected(disk)).toBe(await madeAnew(disk));
});
