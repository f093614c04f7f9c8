/** What a process may believe of streams without asking the store, whichever store it is. */
import { Type } from '@sinclair/typebox';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventStore, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { withMethods } from '../../src/kernel/runtime/around-calls.ts';
import { constructorsOf, defineStream } from '../../src/kernel/runtime/define-stream.ts';
import { createEventCodec, type EventCodec, EventUndecodable } from '../../src/kernel/runtime/event-codec.ts';
import { createEventReader } from '../../src/kernel/runtime/event-reader.ts';
import { createExecutor } from '../../src/kernel/runtime/execute.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { createLogFollower } from '../../src/kernel/runtime/log-follower.ts';
import { EventQuarantined, quarantine } from '../../src/kernel/runtime/quarantine.ts';
import { Rejection } from '../../src/kernel/runtime/rejection.ts';
import { snapshot } from '../../src/kernel/runtime/snapshots.ts';
import { createStreamCache } from '../../src/kernel/runtime/stream-cache.ts';
import {
  Counted,
  CounterClosed,
  type CounterState,
  causeOf,
  clock,
  counter,
  longCounter,
} from '../support/counter.ts';
import { eventually } from '../support/eventually.ts';
import { wholeLog } from '../support/temporary-event-store.ts';

const CACHED = { trust: 'cached' } as const;
const CATEGORIES = ['counter', 'other', 'quarantine', 'renamed'];

/** Opens a new log; each call of what it gives is another process's connection to it. */
export type OpenLog = () => Promise<() => Promise<EventStore>>;

const renamedEvents = { Renamed: Type.Object({ name: Type.String(), reason: Type.String() }) };
const { Renamed } = constructorsOf(renamedEvents);
const renamed = defineStream({
  category: 'renamed',
  events: renamedEvents,
  versions: { Renamed: 2 },
  upcasts: { Renamed: { 1: { data: (data) => ({ ...data, reason: 'of old' }) } } },
  initial: [] as readonly string[],
  evolve: (state, { data }) => [...state, `${data.name} ${data.reason}`],
});

const codec = createEventCodec([counter, quarantine, renamed, snapshot]);

interface ProcessOptions {
  readonly mostBytes?: number;
  readonly codec?: EventCodec;
  /** Whether what others record arrives. */
  readonly hears?: boolean;
}

/** A process as the service is one: with its own memory, told of the log by its subscription. */
async function startProcess(store: EventStore, { mostBytes, hears = true, ...own }: ProcessOptions = {}) {
  const reads: string[] = [];
  const counted = withMethods(store, {
    read(stream, from) {
      reads.push(stream);
      return store.read(stream, from);
    },
  });
  const follower = createLogFollower({
    store,
    categories: CATEGORIES,
    learn: (events) => cache.learn(events),
    healthy: () => true,
    logger: silentLogger,
  });
  const cache = createStreamCache({
    ...(mostBytes === undefined ? {} : { mostBytes }),
    isFollowed: () => !hears || follower.isFollowed(),
  });
  const reader = createEventReader({ store, codec: own.codec ?? codec, logger: silentLogger });
  const executor = createExecutor(counted, own.codec ?? codec, clock, { reader, cache });
  if (hears) {
    await follower.start();
    onTestFinished(follower.stop);
    await eventually('it follows the log', async () => follower.isFollowed());
  }
  return {
    executor,
    reader,
    follower,
    /** Streams that the store was asked for since the last call. */
    reads: () => reads.splice(0),
    count: (id: string, by = 1) => executor.execute(counter, id, causeOf(), () => [Counted({ by })]),
    close: (id: string) =>
      executor.execute(counter, id, causeOf(), ({ closed }) => (closed ? [] : [CounterClosed({})])),
    total: async (id: string) => (await executor.load(counter, id, CACHED)).state.total,
    hasHeard: (id: string, total: number) =>
      eventually(`${total} is heard of ${id}`, async () => {
        reads.splice(0);
        return (await executor.load(counter, id, CACHED)).state.total === total && reads.length === 0;
      }),
  };
}

export function streamCacheContract(what: string, openLog: OpenLog): void {
  const two = async (options: ProcessOptions = {}) => {
    const connect = await openLog();
    const store = await connect();
    const own = await startProcess(store, options);
    return { own, other: await startProcess(await connect()), store, connect };
  };

  describe(`what a process knows of streams on ${what}`, () => {
    test('is what it has appended itself: it decides on it without asking', async () => {
      const { own, store } = await two();
      await own.count('a', 2);
      own.reads();
      const { state, revision } = await own.count('a', 3);
      expect({ state, revision, reads: own.reads() }).toEqual({
        state: { total: 5, closed: false },
        revision: 1,
        reads: [],
      });
      await own.executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 }), Counted({ by: 2 })]);
      // As the store shows it, metadata and position included.
      const known = await own.executor.load(counter, 'a', CACHED);
      const loaded = await own.executor.load(counter, 'a');
      expect(known.events).toEqual(loaded.events);
      expect(known.position).toBe((await wholeLog(store)).at(-1)?.position);
    });

    test('is what others record, from the first event on', async () => {
      const { own, other } = await two();
      await other.count('a', 7);
      await own.hasHeard('a', 7);
      expect((await own.count('a')).state.total).toBe(8);
      expect(own.reads()).toEqual([]);
    });

    test('may be old: then the append conflicts, and it reads on and decides again', async () => {
      const { own, other, store } = await two({ hears: false });
      await own.count('a');
      await other.count('a', 10);
      own.reads();
      const seen: CounterState[] = [];
      const { state } = await own.executor.execute(counter, 'a', causeOf(), (found) => {
        seen.push(found);
        return [Counted({ by: 100 })];
      });
      expect(seen.map(({ total }) => total)).toEqual([1, 11]);
      expect(state.total).toBe(111);
      expect(own.reads()).toEqual(['counter-a']);
      expect((await wholeLog(store)).map(({ data }) => data.by)).toEqual([1, 10, 100]);
    });

    test('makes nobody believe that there is nothing to do, or be refused, by an old state', async () => {
      const { own, other } = await two({ hears: false });
      await own.count('a');
      await other.close('a');
      const no = new Rejection('OPEN', 'conflict', 'It is open.');
      const requireClosed = ({ closed }: CounterState) => {
        if (!closed) throw no;
        return [Counted({ by: 1 })];
      };
      const onlyIfClosed = ({ closed }: CounterState) => (closed ? [Counted({ by: 1 })] : []);
      expect((await own.executor.execute(counter, 'a', causeOf(), requireClosed)).recorded).toHaveLength(1);
      await own.count('b');
      await other.close('b');
      expect((await own.executor.execute(counter, 'b', causeOf(), onlyIfClosed)).recorded).toHaveLength(1);
      await own.count('c');
      await other.close('c');
      expect(await own.executor.check(counter, 'c', (state) => requireClosed(state).length)).toBe(1);
      await own.count('d');
      await expect(own.executor.execute(counter, 'd', causeOf(), requireClosed)).rejects.toBe(no);
      await expect(own.executor.check(counter, 'd', requireClosed)).rejects.toBe(no);
      own.reads();
      const fault = own.executor.check(counter, 'd', () => {
        throw new TypeError('a fault, and no refusal');
      });
      await expect(fault).rejects.toBeInstanceOf(TypeError);
      expect(own.reads()).toEqual([]);
    });

    test('suffices for work that comes again: it asks nothing, and does it once it has heard', async () => {
      const { own, other } = await two();
      await own.count('a');
      own.reads();
      const tidy = () =>
        own.executor.execute(
          counter,
          'a',
          causeOf(),
          ({ total, closed }) => (total < 5 || closed ? [] : [CounterClosed({})]),
          { trust: 'cached' },
        );
      for (let round = 0; round < 5; round += 1) expect((await tidy()).recorded).toEqual([]);
      const no = new Rejection('NO', 'conflict', 'No.');
      const refusing = own.executor.execute(
        counter,
        'a',
        causeOf(),
        () => {
          throw no;
        },
        { trust: 'cached' },
      );
      await expect(refusing).rejects.toBe(no);
      expect(own.reads()).toEqual([]);
      await other.count('a', 4);
      await own.hasHeard('a', 5);
      expect((await tidy()).recorded).toHaveLength(1);
    });

    test('is that a stream does not exist: the append decides', async () => {
      const { own, other } = await two({ hears: false });
      await own.executor.load(counter, 'a');
      await own.executor.load(counter, 'b');
      own.reads();
      expect((await own.count('a')).revision).toBe(0);
      expect(own.reads()).toEqual([]);
      await other.count('b', 5);
      expect((await own.count('b')).state.total).toBe(6);
    });

    test('is forgotten when an append may have been written', async () => {
      const connect = await openLog();
      const store = await connect();
      let isLosing = false;
      const losing = withMethods(store, {
        async append(stream, expected, events) {
          const result = await store.append(stream, expected, events);
          if (isLosing) throw new Error('the answer was lost');
          return result;
        },
      });
      const own = await startProcess(losing, { hears: false });
      await own.count('a');
      isLosing = true;
      await expect(own.count('a', 10)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      isLosing = false;
      own.reads();
      expect(await own.total('a')).toBe(11);
      expect(own.reads()).toEqual(['counter-a']);
    });

    test('is all forgotten when the store was put back', async () => {
      const connect = await openLog();
      const older = await (await openLog())();
      const before = await startProcess(older, { hears: false });
      await before.count('a', 100);
      await before.count('b', 100);
      let current = await connect();
      const putBack = withMethods(current, {
        read: (stream, from) => current.read(stream, from),
        append: (stream, expected, events) => current.append(stream, expected, events),
      });
      const own = await startProcess(putBack, { hears: false });
      for (const id of ['a', 'a', 'a', 'b', 'c']) await own.count(id);
      current = older;
      // Its revision is lower than the known one.
      expect((await own.count('a')).state.total).toBe(101);
      // Of the same revision, but another event: nothing tells it apart but that all was forgotten.
      expect((await own.count('b')).state.total).toBe(101);
      expect((await own.count('c')).revision).toBe(0);
    });

    test('is not believed while the log cannot be followed, and again when it can', async () => {
      const connect = await openLog();
      const store = await connect();
      let isDropped = false;
      const drops = new Set<() => void>();
      const droppable = withMethods(store, {
        subscribe(options) {
          const dropped = new AbortController();
          options.signal.addEventListener('abort', () => dropped.abort());
          drops.add(() => dropped.abort());
          if (isDropped) throw new Error('dropped');
          return store.subscribe({ ...options, signal: dropped.signal });
        },
      });
      const own = await startProcess(droppable);
      const other = await startProcess(await connect());
      await own.count('a');
      isDropped = true;
      for (const drop of drops) drop();
      await eventually('it notices', async () => !own.follower.isFollowed());
      await other.count('a', 10);
      own.reads();
      expect(await own.total('a')).toBe(11);
      expect(own.reads()).toEqual(['counter-a']);
      isDropped = false;
      await other.count('a', 100);
      await eventually('it follows again', async () => own.follower.isFollowed());
      await own.hasHeard('a', 111);
    });

    test('is within bounds: what was used longest ago is read again', async () => {
      const { own } = await two({ mostBytes: 20_000 });
      const ids = Array.from({ length: 60 }, (_, index) => `s${index}`);
      for (const id of ids) await own.count(id);
      own.reads();
      expect((await own.count('s59')).state.total).toBe(2);
      expect(own.reads()).toEqual([]);
      for (const id of ids) expect((await own.count(id)).state.total).toBe(id === 's59' ? 3 : 2);
      expect(own.reads().length).toBeGreaterThan(30);
      const long = 'x'.repeat(3_000);
      await own.executor.execute(counter, 'big', causeOf(), () => [Counted({ by: 1, note: long })]);
      own.reads();
      expect((await own.count('big')).state.total).toBe(2);
      expect(own.reads()).toEqual(['counter-big']);
      expect(await own.total('s58')).toBe(2);
    });

    test('skips what was quarantined, and stops at what cannot be decoded until then', async () => {
      const { own, other, store } = await two();
      await other.count('a', 1);
      await own.hasHeard('a', 1);
      const id = randomId();
      const broken = { id, type: 'Counted', data: { by: 'many' }, metadata: { none: true } };
      await store.append('counter-a', 0, [broken]);
      await eventually('it meets it', async () => {
        const met = await own.executor.load(counter, 'a', CACHED).catch((error: unknown) => error);
        return met instanceof EventUndecodable;
      });
      await expect(own.count('a')).rejects.toBeInstanceOf(EventUndecodable);
      // It may be deleted meanwhile.
      own.reads();
      await expect(own.executor.load(counter, 'a', CACHED)).rejects.toBeInstanceOf(EventUndecodable);
      await expect(own.executor.load(counter, 'a', CACHED)).rejects.toBeInstanceOf(EventUndecodable);
      expect(own.reads()).toEqual(['counter-a', 'counter-a']);
      await other.executor.execute(quarantine, 'events', causeOf(), () => [
        EventQuarantined({
          eventId: id,
          stream: 'counter-a',
          revision: 1,
          position: '',
          eventType: 'Counted',
          problem: 'no number',
          reason: 'it was a mistake',
          by: 'operator',
          quarantinedAt: '2026-05-04T10:00:00.000Z',
        }),
      ]);
      expect((await own.count('a', 10)).state.total).toBe(11);
      own.reads();
      const { state, revision } = await own.count('a', 100);
      expect({ total: state.total, revision, reads: own.reads() }).toEqual({
        total: 111,
        revision: 3,
        reads: [],
      });
      // Another process hears all of it.
      await other.hasHeard('a', 111);
    });

    test('is in the versions of today, also where an older release records beside it', async () => {
      const { own, store } = await two();
      const metadata = { ...causeOf(), occurredAt: '2026-05-04T10:00:00.000Z', schemaVersion: 1 };
      await store.append('renamed-a', 'none', [
        { id: randomId(), type: 'Renamed', data: { name: 'one' }, metadata },
      ]);
      await eventually('it is heard', async () => {
        own.reads();
        const { state } = await own.executor.load(renamed, 'a', CACHED);
        return state.length === 1 && own.reads().length === 0;
      });
      const { state } = await own.executor.execute(renamed, 'a', causeOf(), () => [
        Renamed({ name: 'two', reason: 'now' }),
      ]);
      expect(state).toEqual(['one of old', 'two now']);
      expect(own.reads()).toEqual([]);
    });

    test('of a long stream is its end: no more is remembered, and its snapshot is asked for only when it has one', async () => {
      const { own, connect } = await two();
      const long = (process: typeof own) =>
        process.executor.execute(longCounter, 'a', causeOf(), () => [Counted({ by: 1 })]);
      await long(own);
      expect(own.reads()).toEqual(['counter-a']);
      for (let index = 1; index < 250; index += 1) await long(own);
      // One that has to read comes between them.
      const reads = own.reads().filter((stream) => stream === 'counter-a');
      expect(reads.length).toBeLessThanOrEqual(250 / 8);
      expect(reads.length).toBeGreaterThan(250 / 10);
      expect((await own.executor.load(longCounter, 'a', CACHED)).events.length).toBeLessThan(110);
      const short = await startProcess(await connect(), { hears: false });
      await short.executor.load(longCounter, 'b');
      expect(short.reads()).toEqual(['counter-b']);
      expect((await short.executor.load(longCounter, 'a')).state.total).toBe(250);
      expect(short.reads()).toContain('snapshot-counter-a');
    });

    test('lets two processes race for one stream a thousand times: each decides on the very state that it appends to', async () => {
      const { own, other, store } = await two();
      const decided = ({ total }: CounterState) => [Counted({ by: 1, note: String(total) })];
      const race = async ({ executor }: typeof own) => {
        for (let turn = 0; turn < 500; turn += 1) await executor.execute(counter, 'a', causeOf(), decided);
      };
      await Promise.all([race(own), race(other)]);
      const notes = (await wholeLog(store)).map(({ data }: RecordedEvent) => data.note);
      expect(notes).toEqual(Array.from({ length: 1_000 }, (_, total) => String(total)));
      await own.hasHeard('a', 1_000);
      await other.hasHeard('a', 1_000);
    });
  });
}
