// The projector keeps read models up to date, says how far they are, and stops one that fails without stopping others.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import type { Position } from '../../../../src/kernel/ports/event-store.ts';
import type { CollectionCommit, Document, ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import {
  type Handlers,
  type Projection,
  projectionsOf,
} from '../../../../src/kernel/runtime/define-projection.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import {
  Counted,
  CounterClosed,
  type CounterEvent,
  causeOf,
  clock,
  counter,
  counterEvents,
  executorOn,
} from '../../../support/counter.ts';
import { deferred } from '../../../support/deferred.ts';
import { memoryDisk } from '../../../support/memory-disk.ts';
import {
  openProjecting,
  type Projecting,
  type ProjectingOptions,
  until,
  untilAllLive,
} from '../../../support/projecting.ts';
import { quarantineAt } from '../../../support/quarantining.ts';

type Total = { readonly total: number };

const counted: Handlers<Total, CounterEvent>['Counted'] = {
  key: ({ stream }) => stream,
  apply: (document, { data }) => ({ total: (document?.total ?? 0) + data.by }),
};

/** The sum of each counter. */
const totals = defineTotals('totals', 1, counted);

function defineTotals(name: string, version: number, handler: typeof counted): Projection<Total> {
  return projectionsOf<CounterEvent>()<Total>({ name, version, on: { Counted: handler } });
}

/** As `totals`, but cannot fold 13. */
const superstitious = defineTotals('superstitious', 1, {
  ...counted,
  apply(document, event) {
    if (event.data.by === 13) throw new Error('not thirteen');
    return counted.apply(document, event);
  },
});

async function open(options: Partial<ProjectingOptions> = {}): Promise<Projecting> {
  return openProjecting({ projections: [totals], ...options });
}

async function started(options: Partial<ProjectingOptions> = {}) {
  const projecting = await open(options);
  await projecting.projector.start();
  await untilAllLive(projecting);
  return projecting;
}

/** So many ones in a single append: a log that is long before anything reads it. */
async function countAtOnce({ store }: Projecting, times: number): Promise<void> {
  await executorOn(store).execute(counter, 'a', causeOf(), () =>
    Array.from({ length: times }, () => Counted({ by: 1 })),
  );
}

async function count({ store }: Projecting, ...numbers: readonly number[]): Promise<Position> {
  let position = '';
  for (const by of numbers) {
    const done = await executorOn(store).execute(counter, 'a', causeOf(), () => [Counted({ by })]);
    position = done.position ?? '';
  }
  return position;
}

async function countedUpTo(
  projecting: Projecting,
  position: Position,
  projection: Projection = totals,
): Promise<Document | undefined> {
  expect(await projecting.projector.waitFor(position, 30_000)).toBe(true);
  return projecting.readModel.get(projection, 'counter-a');
}

/** A projection that fails is stopped after three seconds of pauses: here they take no time. */
function withoutPauses(): void {
  const inTime = globalThis.setTimeout;
  const hurried = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((done: () => void, pause = 0) => inTime(done, pause < 5_000 ? 0 : pause)) as never);
  onTestFinished(() => void hurried.mockRestore());
}

/** A process that has ended counted these. */
async function countedBefore(
  on: ReturnType<typeof memoryDisk>,
  ...numbers: readonly number[]
): Promise<void> {
  const first = await started({ on });
  await countedUpTo(first, await count(first, ...numbers));
  await first.stop();
}

const statusOf = ({ projector }: Projecting, name: string) =>
  projector.status().find((status) => status.name === name);

describe('a projection', () => {
  test('shows what was appended before it started, while it was catching up, and after', async () => {
    const projecting = await open();
    await countAtOnce(projecting, 510);
    await projecting.projector.start();
    const meanwhile = count(projecting, ...Array(10).fill(10));
    await untilAllLive(projecting);
    await meanwhile;
    expect(await countedUpTo(projecting, await count(projecting, 100))).toEqual({ total: 710 });
    expect(projecting.reports).toEqual([]);
  });

  test('says when the event was recorded that it handled last', async () => {
    const projecting = await started();
    expect(statusOf(projecting, 'totals')?.lastEventAt).toBeUndefined();
    await countedUpTo(projecting, await count(projecting, 1));
    expect(statusOf(projecting, 'totals')?.lastEventAt).toBe(clock.now().toISOString());
  });

  test('is not waited for longer by an event that no projection folds, in its streams or in others', async () => {
    const projecting = await started();
    await count(projecting, 1);
    const closed = await executorOn(projecting.store).execute(counter, 'a', causeOf(), () => [
      CounterClosed({}),
    ]);
    expect(await countedUpTo(projecting, closed.position ?? '')).toEqual({ total: 1 });
    const other = { id: crypto.randomUUID(), type: 'Other', data: {}, metadata: {} };
    const elsewhere = await projecting.store.append('elsewhere-a', 'none', [other]);
    expect(elsewhere.outcome).toBe('appended');
    expect(await countedUpTo(projecting, await projecting.store.head())).toEqual({ total: 1 });
    expect(statusOf(projecting, 'totals')?.position).toBe(await projecting.store.head());
  });

  test('is not there in time when the position is not reached', async () => {
    const projecting = await started();
    const position = await count(projecting, 1);
    expect(await projecting.projector.waitFor(`${position}0`, 5)).toBe(false);
    const waiting = projecting.projector.waitFor(position.replace(/1$/, '2'), 30_000);
    await count(projecting, 1);
    expect(await waiting).toBe(true);
  });

  test('that fails stops before that event, while the append and the other projections go on', async () => {
    withoutPauses();
    const projecting = await started({ projections: [totals, superstitious] });
    const before = await count(projecting, 1);
    expect(await projecting.projector.waitFor(before, 30_000)).toBe(true);
    const after = await count(projecting, 13, 2);
    await until(() => statusOf(projecting, 'superstitious')?.state === 'failed');
    expect(await countedUpTo(projecting, after)).toEqual({ total: 16 });
    expect(statusOf(projecting, 'totals')).toMatchObject({ state: 'live', error: undefined });
    expect(statusOf(projecting, 'superstitious')).toMatchObject({ error: 'not thirteen', position: before });
    expect(await projecting.readModel.get(superstitious, 'counter-a')).toEqual({ total: 1 });
    expect(projecting.reports.at(-1)).toContain('"projection":"superstitious"');
  });

  test('waits at an event that it cannot decode, alone, and goes on once that is quarantined', async () => {
    const closed = projectionsOf<CounterEvent>()({
      name: 'closed',
      version: 1,
      on: { CounterClosed: { key: ({ stream }) => stream, apply: () => ({}) } },
    });
    const projecting = await started({ projections: [totals, closed] });
    const before = await count(projecting, 1);
    expect(await countedUpTo(projecting, before)).toEqual({ total: 1 });
    const id = randomId();
    await projecting.store.append('counter-b', 'none', [
      { id, type: 'Counted', data: { by: 'much' }, metadata: {} },
    ]);
    const after = await count(projecting, 2);
    await until(() => statusOf(projecting, 'totals')?.blockedBy !== undefined);
    const place = { eventId: id, stream: 'counter-b', revision: 0 };
    expect(statusOf(projecting, 'totals')).toMatchObject({ state: 'failed', blockedBy: place });
    await until(() => (statusOf(projecting, 'closed')?.position ?? '') >= after);
    expect(statusOf(projecting, 'closed')).toMatchObject({ state: 'live', error: undefined });
    expect(await projecting.readModel.get(totals, 'counter-a')).toEqual({ total: 1 });
    expect(
      projecting.reports.filter((report) => report.includes('waits at an undecodable event')),
    ).toHaveLength(1);

    await quarantineAt(projecting.store, place);
    await projecting.reader.refresh();
    await until(() => statusOf(projecting, 'totals')?.state === 'live');
    expect(await countedUpTo(projecting, after)).toEqual({ total: 3 });
    expect(await countedUpTo(projecting, await count(projecting, 3))).toEqual({ total: 6 });
    expect(await projecting.projector.rebuild(totals)).toBe(true);
    await untilAllLive(projecting);
    // Nobody ever folded it, so a rebuild agrees.
    expect(await projecting.readModel.get(totals, 'counter-a')).toEqual({ total: 6 });
    expect(await projecting.readModel.get(totals, 'counter-b')).toBeUndefined();
    expect(statusOf(projecting, 'totals')).toMatchObject({ error: undefined, blockedBy: undefined });
  });

  test('of another shape under the same version is built beside the old one, which is read until then', async () => {
    const on = memoryDisk();
    await countedBefore(on, 1, 2);

    const found: Projection = { ...totals, indexes: { all: () => ['all'] } };
    const gate = gated();
    const faulty = (readModel: ReadModel): ReadModel => ({
      ...readModel,
      async commit(commits) {
        if (!commits.some(({ collection }) => collection.name === 'totals')) return readModel.commit(commits);
        await gate.passed;
        throw new Error('the process ends here');
      },
    });
    const interrupted = await open({ on, projections: [found], faulty });
    await interrupted.projector.start();
    await gate.reached(() => statusOf(interrupted, 'totals')?.state === 'building');
    expect(await interrupted.readModel.get(found, 'counter-a')).toEqual({ total: 3 });
    await expect(interrupted.readModel.find(found, 'all', 'all')).rejects.toThrow('still being built');
    gate.open();
    await interrupted.crash();

    const second = await started({ on, projections: [found] });
    expect(await second.readModel.find(found, 'all', 'all')).toEqual([{ total: 3 }]);
    await countedUpTo(second, await count(second, 4));
    expect(await second.readModel.find(found, 'all', 'all')).toEqual([{ total: 7 }]);
    expect(second.dump()).toContain('totals_v1-2.');
    expect(second.dump()).not.toContain('totals_v1.');
    await second.stop();

    const back = await started({ on });
    expect(await back.readModel.get(totals, 'counter-a')).toEqual({ total: 7 });
    expect(back.dump()).not.toContain('totals_v1-2.');
  });

  test('of a new version keeps the old one up to date until it is ready, and shows a writer its write in it', async () => {
    const on = memoryDisk();
    await countedBefore(on, 1, 2);

    const gate = gated();
    const next = defineTotals('totals', 2, counted);
    const second = await open({ on, projections: [next], faulty: heldAtTheEnd(gate) });
    await second.projector.start();
    await gate.reached();
    await until(() => second.projector.isCurrent(next));
    expect(statusOf(second, 'totals')).toMatchObject({ state: 'building', served: 1, isCurrent: true });
    for (const [by, total] of [
      [10, 13],
      [20, 33],
    ] as const) {
      const position = await count(second, by);
      expect(await second.projector.waitFor(position, 30_000)).toBe(true);
      expect(await second.readModel.get(next, 'counter-a')).toEqual({ total });
    }
    gate.open();
    await untilAllLive(second);
    expect(statusOf(second, 'totals')).toMatchObject({ served: 2, isCurrent: true, progress: undefined });
    expect(await countedUpTo(second, await count(second, 100), next)).toEqual({ total: 133 });
    expect(second.dump()).not.toContain('totals_v1');
    expect(second.reports).toEqual([]);
  });

  test('is rebuilt when asked, beside the documents that are read, which miss nothing meanwhile', async () => {
    const on = memoryDisk();
    const gate = gated();
    const held = { now: false };
    const projecting = await started({ on, faulty: heldAtTheEnd(gate, () => held.now) });
    await countedUpTo(projecting, await count(projecting, 1, 2));
    held.now = true;
    expect(await projecting.projector.rebuild(totals)).toBe(true);
    expect(await projecting.projector.rebuild(totals)).toBe(false);
    await gate.reached();
    expect(statusOf(projecting, 'totals')).toMatchObject({ state: 'building', served: 1, isCurrent: true });
    expect(await countedUpTo(projecting, await count(projecting, 4))).toEqual({ total: 7 });
    gate.open();
    await untilAllLive(projecting);
    expect(await countedUpTo(projecting, await count(projecting, 8))).toEqual({ total: 15 });
    expect(projecting.dump()).toContain('totals_v1-2.');
    expect(projecting.dump()).not.toContain('totals_v1.');
  });

  test('is read without a gap while the new documents take the place of the old', async () => {
    const gate = gated();
    const held = { now: false };
    const projecting = await started({ faulty: heldWhileGoingLive(gate, () => held.now) });
    await countedUpTo(projecting, await count(projecting, 1));
    held.now = true;
    await projecting.projector.rebuild(totals);
    await gate.reached();
    expect(statusOf(projecting, 'totals')).toMatchObject({ state: 'building', served: 1, isCurrent: true });
    // What is appended in this moment is not in the documents that are still read.
    expect(projecting.projector.isCurrent(totals)).toBe(false);
    const position = await count(projecting, 2);
    expect(await projecting.projector.waitFor(position, 20)).toBe(false);
    gate.open();
    expect(await countedUpTo(projecting, position)).toEqual({ total: 3 });
  });

  test('goes live once, however often the end of the log is reached meanwhile', async () => {
    const gate = gated();
    const projecting = await open({ faulty: heldWhileGoingLive(gate) });
    await projecting.projector.start();
    await gate.reached();
    for (const by of [1, 2]) {
      const position = await count(projecting, by);
      await until(() => (statusOf(projecting, 'totals')?.position ?? '') >= position);
    }
    gate.open();
    await untilAllLive(projecting);
    expect(gate.arrivals()).toBe(1);
  });

  // In the file of the log a read model that does not answer is a fault like any other.
  test.each([
    ['a fault', Error],
    ['no answer', StoreUnavailable],
  ])('that cannot go live because of %s stops, and the former documents are still read and kept up to date', async (_why, Refused) => {
    const on = memoryDisk();
    await countedBefore(on, 1);
    const next = defineTotals('totals', 2, counted);
    const second = await open({
      on,
      projections: [next],
      faulty: (readModel) => ({
        ...readModel,
        goLive: () => Promise.reject(new Refused('cannot write')),
      }),
    });
    await second.projector.start();
    await until(() => statusOf(second, 'totals')?.state === 'failed');
    expect(statusOf(second, 'totals')).toMatchObject({ error: 'cannot write', served: undefined });
    expect(await second.readModel.get(next, 'counter-a')).toEqual({ total: 1 });
  });

  test('of an older version that a fold of today cannot continue stops alone', async () => {
    withoutPauses();
    const on = memoryDisk();
    await countedBefore(on, 1);
    const gate = gated();
    let isOld = true;
    const next = defineTotals('totals', 2, {
      ...counted,
      apply(document, event) {
        if (isOld && document !== undefined) throw new Error('a document of old');
        return counted.apply(document, event);
      },
    });
    const notes = defineTotals('notes', 1, counted);
    const second = await open({ on, projections: [next, notes], faulty: heldAtTheEnd(gate) });
    await second.projector.start();
    await gate.reached();
    await until(() => second.projector.isCurrent(next));
    await count(second, 2);
    await until(() => second.reports.some((report) => report.includes('projection stopped')));
    await until(() => !second.projector.isCurrent(next));
    isOld = false;
    gate.open();
    await untilAllLive(second);
    expect(await countedUpTo(second, await count(second, 4), next)).toEqual({ total: 7 });
    expect(await second.readModel.get(notes, 'counter-a')).toEqual({ total: 7 });
  });

  test('that fails before it went live does not count as live afterwards', async () => {
    withoutPauses();
    const gate = gated();
    const projecting = await open({ projections: [superstitious], faulty: heldWhileGoingLive(gate) });
    await projecting.projector.start();
    await gate.reached();
    await count(projecting, 13);
    await until(() => statusOf(projecting, 'superstitious')?.state === 'failed');
    gate.open();
    await projecting.stop();
    expect(statusOf(projecting, 'superstitious')).toMatchObject({ state: 'failed', error: 'not thirteen' });
  });

  test('that folds what no stream has is a fault that is found at the start', async () => {
    const streams = [{ ...counter, events: { CounterClosed: counterEvents.CounterClosed } }];
    await expect(open({ streams })).rejects.toThrow('folds "Counted", which no stream defines');
  });
});

describe('a writer who waits until its write is shown', () => {
  test('does not wait for a projection that has stopped, or is being built', async () => {
    withoutPauses();
    const gate = gated();
    const held = { now: false };
    const projecting = await started({
      projections: [totals, superstitious],
      faulty: heldAtTheEnd(gate, () => held.now),
    });
    await count(projecting, 13);
    await until(() => statusOf(projecting, 'superstitious')?.state === 'failed');
    held.now = true;
    await projecting.projector.rebuild(totals);
    await gate.reached();
    await projecting.projector.untilProjected(await count(projecting, 1), 60_000);
    expect(await projecting.readModel.get(totals, 'counter-a')).toEqual({ total: 14 });
    gate.open();
    await until(() => statusOf(projecting, 'totals')?.state === 'live');
  });

  test('does not wait while read models catch up after a start, and no longer than it says', async () => {
    const on = memoryDisk();
    await countedBefore(on, 1);
    const gate = gated();
    const second = await open({
      on,
      faulty: (readModel) => ({
        ...readModel,
        async commit(commits) {
          if (commits.some(({ collection }) => collection.name === 'totals')) await gate.passed;
          return readModel.commit(commits);
        },
      }),
    });
    await count(second, 1);
    await second.projector.start();
    await second.projector.untilProjected(await count(second, 1), 60_000);
    expect(await second.readModel.get(totals, 'counter-a')).toEqual({ total: 1 });
    gate.open();
    await untilAllLive(second);
    const last = await count(second, 1);
    await second.projector.untilProjected(`${last}0`, 5);
    expect(await countedUpTo(second, last)).toEqual({ total: 4 });
  });
});

/** The last step of a rebuild, in which the new documents take the place of the old, is held up. */
function heldAtTheEnd(gate: ReturnType<typeof gated>, isHeld = () => true) {
  return (readModel: ReadModel): ReadModel => ({
    ...readModel,
    async commit(commits) {
      const isOfNew = async ({ collection, generation }: CollectionCommit) => {
        if (collection.name !== 'totals' || generation === undefined) return false;
        const served = await readModel.served(collection);
        return served?.version !== generation.version || served.generation !== generation.generation;
      };
      if (isHeld() && (await Promise.all(commits.map(isOfNew))).includes(true)) {
        gate.arrive();
        await gate.passed;
      }
      return readModel.commit(commits);
    },
  });
}

/** The moment is held up in which the new documents take the place of the old. */
function heldWhileGoingLive(gate: ReturnType<typeof gated>, isHeld = () => true) {
  return (readModel: ReadModel): ReadModel => ({
    ...readModel,
    async goLive(collection) {
      if (isHeld()) {
        gate.arrive();
        await gate.passed;
      }
      return readModel.goLive(collection);
    },
  });
}

/** Holds work up until it is opened; `reached` resolves when something arrived, or when a condition holds. */
function gated() {
  const { promise: passed, resolve: open } = deferred();
  let arrivals = 0;
  return {
    passed,
    open,
    arrive() {
      arrivals += 1;
    },
    arrivals: () => arrivals,
    reached: (condition: () => boolean = () => arrivals > 0) => until(condition),
  };
}
