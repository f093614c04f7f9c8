// A long stream is loaded from a snapshot, and nobody can tell: the state is that of all its events, at the cost of the last few.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventStore } from '../../../../src/kernel/ports/event-store.ts';
import { createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { SnapshotTaken } from '../../../../src/kernel/runtime/snapshots.ts';
import { createStreamCache } from '../../../../src/kernel/runtime/stream-cache.ts';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import { allOf } from '../../../support/all-of.ts';
import {
  Counted,
  CounterClosed,
  causeOf,
  clock,
  codec,
  counter,
  executorOn,
  longCounter,
} from '../../../support/counter.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const EVERY = longCounter.snapshots?.every ?? 0;
const snapshotsFor = (id: string) => `snapshot-counter-${id}`;
const SNAPSHOTS = snapshotsFor('a');

/** Counts the events that are read from the store. */
function counting(store: EventStore) {
  const read = { events: 0, streams: [] as string[] };
  const counted = withMethods(store, {
    async *read(stream, from) {
      read.streams.push(stream);
      for await (const event of store.read(stream, from)) {
        read.events += 1;
        yield event;
      }
    },
  });
  return { read, counted };
}

async function append(store: EventStore, events: number): Promise<void> {
  const executor = executorOn(store);
  for (let index = 0; index < events; index += 1) {
    await executor.execute(longCounter, 'a', causeOf(), () => [Counted({ by: 1 })]);
  }
  await written(store);
}

/** What is written beside the calls is written. */
async function written(store: EventStore): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await store.head();
}

const snapshotsOf = (store: EventStore, id = 'a') => allOf(store.read(snapshotsFor(id)));

/** Writes a snapshot as another version, or somebody with access to the store, might. */
async function plant(store: EventStore, data: Partial<ReturnType<typeof SnapshotTaken>['data']>, id = 'a') {
  await written(store);
  const known = (await snapshotsOf(store, id)).at(-1);
  const whole = { ...(known?.data as ReturnType<typeof SnapshotTaken>['data']), ...data };
  const metadata = { ...causeOf(), occurredAt: clock.now().toISOString() };
  const encoded = codec.encode('snapshot', randomId(), SnapshotTaken(whole), metadata);
  const { outcome } = await store.append(snapshotsFor(id), known?.revision ?? 'none', [encoded]);
  expect(outcome).toBe('appended');
}

const total = async (store: EventStore, stream = longCounter) =>
  (await executorOn(store).load(stream, 'a')).state.total;

describe('the cost of a load', () => {
  test('is that of the events since the last snapshot, by a process that has just started', async () => {
    const store = await temporaryEventStore();
    await append(store, 50);
    const { read, counted } = counting(store);
    expect(await total(counted)).toBe(50);
    // The stream's first ones show that it is long enough to have a snapshot.
    expect(read.events).toBeLessThanOrEqual(EVERY + (EVERY + 2));
  });

  test('is that of the events since this process has last seen the stream', async () => {
    const store = await temporaryEventStore();
    await append(store, 50);
    const { read, counted } = counting(store);
    const executor = executorOn(counted);
    await executor.load(longCounter, 'a');
    read.events = 0;
    read.streams = [];
    await executor.execute(longCounter, 'a', causeOf(), () => [CounterClosed({})]);
    await executor.load(longCounter, 'a');
    // Beside it, the last snapshot may be read, in order to be replaced.
    expect(read.streams.filter((stream) => stream !== SNAPSHOTS)).toEqual(['counter-a', 'counter-a']);
    expect(read.events).toBeLessThanOrEqual(3);
  });
});

describe('a snapshot', () => {
  test('is taken after so many events, and only the last one is kept', async () => {
    const store = await temporaryEventStore();
    await append(store, EVERY - 1);
    expect(await snapshotsOf(store)).toEqual([]);
    await append(store, 1);
    expect(await snapshotsOf(store)).toMatchObject([
      {
        data: { revision: EVERY - 1, stateVersion: 1, state: { total: EVERY, closed: false } },
        metadata: { actor: 'service:snapshots' },
      },
    ]);
    await append(store, 10 * EVERY);
    const last = await snapshotsOf(store);
    expect(last).toHaveLength(1);
    expect(last[0]?.data.revision).toBeGreaterThanOrEqual(10 * EVERY - 1);
  });

  test.each([
    ['of another history, that was longer', { revision: 1_000, state: { total: 7_000, closed: false } }],
    ['of a state that is made otherwise', { stateVersion: 2, state: { total: 7_000, closed: false } }],
    ['of a state in another form', { state: { total: 'many', closed: false } }],
    ['that is empty', { state: {} }],
  ])('%s is not believed, and the next one takes its place', async (_what, data) => {
    const store = await temporaryEventStore();
    await append(store, 10);
    await plant(store, data);
    expect(await total(store)).toBe(10);
    await append(store, EVERY);
    expect(await total(store)).toBe(10 + EVERY);
    const { read, counted } = counting(store);
    expect(await total(counted)).toBe(10 + EVERY);
    expect(read.events).toBeLessThanOrEqual(2 * EVERY + 2);
  });

  test.each([
    'SnapshotTaken',
    'SnapshotCompressed',
  ])('that a newer version has written in its own way, as %s, is not believed', async (type) => {
    const store = await temporaryEventStore();
    await append(store, 10);
    const metadata = { ...causeOf(), occurredAt: '2026-05-04T10:00:00.000Z', schemaVersion: 9 };
    const known = (await snapshotsOf(store)).at(-1);
    await store.append(SNAPSHOTS, known?.revision ?? 'none', [
      { id: randomId(), type, data: { whatever: true }, metadata },
    ]);
    expect(await total(store)).toBe(10);
  });

  test('that the store does not give is not taken for none', async () => {
    const store = await temporaryEventStore();
    await append(store, 10);
    const silent = withMethods(store, {
      read(stream, from) {
        if (stream === SNAPSHOTS) throw new Error('the store does not answer');
        return store.read(stream, from);
      },
    });
    await expect(total(silent)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('that cannot be written keeps nobody from recording, and is reported', async () => {
    const store = await temporaryEventStore();
    const failing = withMethods(store, {
      async append(stream, expected, events) {
        if (stream === SNAPSHOTS) throw new Error('the disk is full');
        return store.append(stream, expected, events);
      },
    });
    const failures: string[] = [];
    const executor = createExecutor(failing, codec, clock, {
      snapshotFailed: (error, stream) => void failures.push(`${stream}: ${String(error)}`),
    });
    for (let index = 0; index < EVERY; index += 1) {
      await executor.execute(longCounter, 'a', causeOf(), () => [Counted({ by: 1 })]);
    }
    await written(store);
    expect(failures).toEqual(['counter-a: Error: the disk is full']);
    expect(await total(store)).toBe(EVERY);
  });
});

test('what this process remembers of a stream that was replaced is not believed', async () => {
  const store = await temporaryEventStore();
  await append(store, 4);
  const other = await temporaryEventStore();
  for (let index = 0; index < 9; index += 1) {
    await executorOn(other).execute(counter, 'a', causeOf(), () => [Counted({ by: 10 })]);
  }
  let current = store;
  const replaced = withMethods(store, { read: (stream, from) => current.read(stream, from) });
  const executor = executorOn(replaced);
  expect((await executor.load(longCounter, 'a')).state.total).toBe(4);
  current = other;
  expect((await executor.load(longCounter, 'a')).state.total).toBe(90);
});

test('a stream whose older events were cut is no other history: what is known of others is still believed', async () => {
  const store = await temporaryEventStore();
  const { read, counted } = counting(store);
  const executor = executorOn(counted, { cache: createStreamCache({ isFollowed: () => true }) });
  const count = (by: ReturnType<typeof executorOn>, id: string) =>
    by.execute(counter, id, causeOf(), () => [Counted({ by: 1 })]);
  for (const id of ['a', 'b']) await count(executor, id);
  const known = await executor.load(counter, 'b', { trust: 'cached' });
  for (let index = 0; index < 5; index += 1) await count(executorOn(store), 'a');
  await store.setMaxCount('counter-a', 2);
  expect((await executor.load(counter, 'a')).revision).toBe(5);
  read.streams = [];
  // Not folded again either.
  expect(await executor.load(counter, 'b', { trust: 'cached' })).toBe(known);
  expect(read.streams).toEqual([]);
});

test('a load gives the state of all events, whoever has appended, loaded, restarted or lost snapshots before', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('append' as const),
      process: fc.nat(2),
      events: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ kind: fc.constant('load' as const), process: fc.nat(2), from: fc.option(fc.nat(30)) }),
    fc.record({ kind: fc.constant('restart' as const), process: fc.nat(2) }),
    fc.record({ kind: fc.constant('spoil' as const), revision: fc.nat(40) }),
  );
  let scenes = 0;
  const store = await temporaryEventStore();
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    scenes += 1;
    const id = `scene${scenes}`;
    const processes = [executorOn(store), executorOn(store), executorOn(store)];
    let expected = 0;
    let length = 0;
    for (const each of steps) {
      const executor = ('process' in each ? processes[each.process] : undefined) ?? executorOn(store);
      switch (each.kind) {
        case 'append':
          expected += each.events;
          length += each.events;
          await executor.execute(longCounter, id, causeOf(), () =>
            Array.from({ length: each.events }, () => Counted({ by: 1 })),
          );
          break;
        case 'restart':
          processes[each.process] = executorOn(store);
          break;
        case 'spoil': {
          const data = { eventId: randomId(), stateVersion: 1, state: { total: 9, closed: false } };
          await plant(store, { revision: each.revision, ...data }, id);
          break;
        }
        case 'load': {
          const from = each.from ?? undefined;
          const loaded = await executor.load(longCounter, id, { eventsFrom: from });
          expect(loaded.state.total).toBe(expected);
          expect(loaded.revision).toBe(length === 0 ? 'none' : length - 1);
          const revisions = loaded.events.map(({ revision }) => revision);
          const [first = length] = revisions;
          expect(revisions).toEqual(Array.from({ length: length - first }, (_, index) => first + index));
          expect(first).toBeLessThanOrEqual(Math.min(from ?? length, Math.max(0, length - 1)));
          for (const event of loaded.events) expect(loaded.stateAfter(event).total).toBe(event.revision + 1);
        }
      }
    }
    for (const executor of [...processes, executorOn(store)]) {
      expect((await executor.load(longCounter, id)).state.total).toBe(expected);
    }
  });
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
});
