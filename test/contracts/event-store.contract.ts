/** Contract of the EventStore port. An adapter's test file opens the store and runs it. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type JsonObject,
  type Position,
  type RecordedEvent,
  START,
  type SubscriptionMessage,
} from '../../src/kernel/ports/event-store.ts';
import { allOf } from '../support/all-of.ts';

export interface OpenedEventStore {
  readonly store: EventStore;
  /** Closes the store and opens it again on what it wrote; the one given out before is of no use then. */
  reopen(): Promise<EventStore>;
  dispose(): Promise<void>;
}

/** Stream names are new in every test, so a store that cannot be emptied will do; it may hold other events before. */
export function eventStoreContract(name: string, open: () => Promise<OpenedEventStore>): void {
  describe(`${name} keeps the contract of an event store`, () => {
    let opened: OpenedEventStore;
    let store: EventStore;
    const stopping: AbortController[] = [];

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });

    afterEach(async () => {
      for (const controller of stopping.splice(0)) controller.abort();
      await opened.dispose();
    });

    function abortable(): AbortController {
      const controller = new AbortController();
      stopping.push(controller);
      return controller;
    }

    function subscribe(after: Position, categories?: readonly string[]): Subscriber {
      const { signal } = abortable();
      return new Subscriber(store.subscribe({ after, signal, ...(categories ? { categories } : {}) }));
    }

    describe('append', () => {
      test('refuses to create a stream that is present, and names its revision', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [event(), event(), event()]);
        expect(await store.append(stream, 'none', [event()])).toEqual({ outcome: 'conflict', actual: 2 });
        expect(await readAll(store, stream)).toHaveLength(3);
      });

      test('goes on from the expected revision and gives the revision of the last event', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [event()]);
        expect(await store.append(stream, 0, [event(), event()])).toMatchObject({ revision: 2 });
        expect(await store.append(stream, 2, [event()])).toMatchObject({ outcome: 'appended', revision: 3 });
      });

      test('refuses an expected revision that is too low, too high, or of an absent stream', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [event(), event()]);
        expect(await store.append(stream, 0, [event()])).toEqual({ outcome: 'conflict', actual: 1 });
        expect(await store.append(stream, 2, [event()])).toEqual({ outcome: 'conflict', actual: 1 });
        expect(await store.append(newStream(), 0, [event()])).toEqual({
          outcome: 'conflict',
          actual: 'none',
        });
        expect(await readAll(store, stream)).toHaveLength(2);
      });

      test('writes all events of a call, or none', async () => {
        const stream = newStream();
        const events = numbered(1_000);
        await store.append(stream, 'none', events);
        expect(numbersOf(await readAll(store, stream))).toEqual(range(0, 1_000));
        expect(await store.append(stream, 'none', numbered(1_000))).toMatchObject({ outcome: 'conflict' });
        expect(await readAll(store, stream)).toHaveLength(1_000);
      });

      test('gives positions that grow as text, the last one being the head', async () => {
        const before = await store.head();
        const first = appended(await store.append(newStream(), 'none', [event()]));
        const second = appended(await store.append(newStream(), 'none', numbered(12)));
        const third = appended(await store.append(newStream(), 'none', [event()]));
        expect([third, before, second, first].sort()).toEqual([before, first, second, third]);
        expect(await store.head()).toBe(third);
      });

      test('lets one of six concurrent creations win, 50 times, and the others see at once which', async () => {
        for (let round = 0; round < 50; round += 1) {
          const stream = newStream();
          const seen = await Promise.all(
            range(0, 6).map(async (writer) => {
              const { outcome } = await store.append(stream, 'none', [event({ writer })]);
              const winners = (await readAll(store, stream)).map(({ data }) => data.writer);
              return { isWinner: outcome === 'appended', winners };
            }),
          );
          const winner = seen.findIndex(({ isWinner }) => isWinner);
          expect(seen).toEqual(range(0, 6).map((each) => ({ isWinner: each === winner, winners: [winner] })));
        }
      });

      test('loses nothing when several writers contend for one stream', async () => {
        const stream = newStream();
        const contend = async (writer: number) => {
          for (let written = 0; written < 20; ) {
            const revision = (await readAll(store, stream)).at(-1)?.revision ?? 'none';
            const result = await store.append(stream, revision, [event({ writer, written })]);
            if (result.outcome === 'appended') written += 1;
          }
        };
        await Promise.all([contend(0), contend(1), contend(2), contend(3)]);
        const events = await readAll(store, stream);
        expect(events.map(({ revision }) => revision)).toEqual(range(0, 80));
        for (const writer of [0, 1, 2, 3]) {
          const own = events.filter(({ data }) => data.writer === writer);
          expect(own.map(({ data }) => data.written)).toEqual(range(0, 20));
        }
      });
    });

    describe('the same append again', () => {
      test('gives the first result also after later appends and after a restart', async () => {
        const stream = newStream();
        const events = numbered(2);
        await store.append(stream, 'none', [event()]);
        const first = await store.append(stream, 0, events);
        await store.append(stream, 2, [event(), event()]);
        expect(await store.append(stream, 0, events)).toEqual(first);
        store = await opened.reopen();
        expect(await store.append(stream, 0, events)).toEqual(first);
        expect(await readAll(store, stream)).toHaveLength(5);
      });

      test('is a conflict when only a part of its ids was written', async () => {
        const stream = newStream();
        const events = numbered(2);
        await store.append(stream, 'none', events);
        expect(await store.append(stream, 'none', [...events, event()])).toEqual({
          outcome: 'conflict',
          actual: 1,
        });
        expect(await store.append(stream, 'none', [...events].reverse())).toMatchObject({
          outcome: 'conflict',
        });
      });

      test('counts as new in another stream', async () => {
        const events = numbered(1);
        const first = appended(await store.append(newStream(), 'none', events));
        const second = appended(await store.append(newStream(), 'none', events));
        expect(second > first).toBe(true);
      });
    });

    describe('a malformed append is refused with a TypeError, and nothing is written:', () => {
      const refused: readonly (readonly [string, string, number | 'none', readonly unknown[]])[] = [
        ['no events', 'thing-1', 'none', []],
        ['a stream name without a category', 'thing', 'none', [event()]],
        ['a stream name without an id', 'thing-', 'none', [event()]],
        ['a stream name with $', '$thing-1', 'none', [event()]],
        ['a stream name with a blank', 'thing-1 2', 'none', [event()]],
        ['a negative revision', 'thing-1', -1, [event()]],
        ['a broken revision', 'thing-1', 0.5, [event()]],
        ['an id in upper case', 'thing-1', 'none', [{ ...event(), id: randomUUID().toUpperCase() }]],
        ['an id that is no UUID', 'thing-1', 'none', [{ ...event(), id: 'one' }]],
        ['an id twice', 'thing-1', 'none', Array(2).fill(event())],
        ['an empty type', 'thing-1', 'none', [{ ...event(), type: '' }]],
        ['a type with $', 'thing-1', 'none', [{ ...event(), type: '$happened' }]],
        ['no data', 'thing-1', 'none', [{ ...event(), data: undefined }]],
        ['data that is a list', 'thing-1', 'none', [{ ...event(), data: [1] }]],
        ['a bigint in data', 'thing-1', 'none', [{ ...event(), data: { amount: 1n } }]],
        ['one bad event after a good one', 'thing-1', 'none', [event(), { ...event(), type: '' }]],
      ];

      test.each(refused)('%s', async (_what, stream, expected, events) => {
        const before = await store.head();
        await expect(store.append(stream, expected, events as EventToAppend[])).rejects.toThrow(TypeError);
        expect(await store.head()).toBe(before);
      });

      test('more bytes than an append may have', async () => {
        const half = { text: 'x'.repeat(524_288) };
        const stream = newStream();
        await expect(store.append(stream, 'none', [event(half), event(half)])).rejects.toThrow(/bytes/);
        expect(await readAll(store, stream)).toEqual([]);
      });
    });

    describe('read', () => {
      test('finds nothing in a stream that does not exist, whatever its name', async () => {
        expect(await readAll(store, newStream())).toEqual([]);
        expect(await readAll(store, 'no name of a stream')).toEqual([]);
      });

      test('gives events back as they were appended', async () => {
        const stream = newStream();
        const given: EventToAppend = {
          id: randomUUID(),
          type: 'thing-happened',
          data: {
            text: 'naïve 日本 😀 "quoted" \\ \n \u0000 \u2028 \ud800',
            amount: '9007199254740993000000001',
            number: 0.1,
            list: [1, [null, true], { deep: {} }],
            ключ: null,
          },
          metadata: { actor: 'ü' },
        };
        const position = appended(await store.append(stream, 'none', [given]));
        expect(await readAll(store, stream)).toEqual([{ ...given, stream, revision: 0, position }]);
      });

      test('holds an event of nearly the largest size', async () => {
        const stream = newStream();
        const data = { text: 'x'.repeat(1_048_576 - 2_000) };
        await store.append(stream, 'none', [event(data)]);
        expect((await readAll(store, stream))[0]?.data).toEqual(data);
      });

      test('is complete past one page, and starts where it is told', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(700));
        await store.append(stream, 699, numbered(900, 700));
        expect(numbersOf(await readAll(store, stream))).toEqual(range(0, 1_600));
        expect(numbersOf(await readAll(store, stream, 1_598))).toEqual([1_598, 1_599]);
        expect(await readAll(store, stream, 1_600)).toEqual([]);
        expect(await readAll(store, stream, 5_000)).toEqual([]);
      });

      test('can be left in the middle, again and again', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(500));
        for (let round = 0; round < 120; round += 1) {
          for await (const { data } of store.read(stream)) if (data.n === 3) break;
        }
        expect(await store.append(stream, 499, [event()])).toMatchObject({ outcome: 'appended' });
      });
    });

    describe('readBackwards', () => {
      const backwards = (stream: string, before?: number) => allOf(store.readBackwards(stream, before));

      test('gives what read gives, from the end or from before a revision, complete past one page', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(450));
        const events = (await readAll(store, stream)).toReversed();
        expect(await backwards(stream)).toEqual(events);
        expect(await backwards(stream, 2)).toEqual(events.slice(-2));
        expect(await backwards(stream, 0)).toEqual([]);
        expect(await backwards(stream, 5_000)).toEqual(events);
        expect(await backwards(newStream())).toEqual([]);
      });

      test('ends with the first event that is kept, as read begins with it', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(700));
        await store.setMaxCount(stream, 300);
        expect(numbersOf(await readAll(store, stream))).toEqual(range(400, 700));
        expect(numbersOf(await backwards(stream))).toEqual(range(400, 700).toReversed());
        expect(await backwards(stream, 400)).toEqual([]);
      });
    });

    describe('readWindow', () => {
      type Direction = Parameters<EventStore['readWindow']>[0]['direction'];

      /** Window by window to the log's end, or back to a position: behind it, the store may hold other events. */
      async function windows(
        direction: Direction,
        limit: number,
        { from, until = START }: { readonly from?: Position; readonly until?: Position },
      ): Promise<RecordedEvent[]> {
        const events: RecordedEvent[] = [];
        for (let place = from; ; ) {
          const window = await store.readWindow({ direction, limit, from: place });
          expect(window.events.length).toBeLessThanOrEqual(limit);
          events.push(...window.events.filter(({ position }) => position > until));
          if (window.isEnd || (direction === 'backwards' && window.reached <= until)) return events;
          expect(window.reached).not.toBe(place);
          place = window.reached;
        }
      }

      /** Three streams by turns: the store may be shared, so they stand between other events. */
      async function appendByTurns(count: number): Promise<readonly RecordedEvent[]> {
        const streams = [newStream(), newStream(), newStream()];
        for (let n = 0; n < count; n += 1)
          for (const stream of streams) await store.append(stream, n === 0 ? 'none' : n - 1, numbered(1, n));
        const events = (await Promise.all(streams.map((stream) => readAll(store, stream)))).flat();
        return events.sort((one, other) => (one.position < other.position ? -1 : 1));
      }

      test('is complete and in order over windows of any size, in both directions', async () => {
        const before = await store.head();
        const [newest] = (await store.readWindow({ direction: 'backwards', limit: 1 })).events;
        expect(newest?.position ?? START).toBe(before);
        const events = await appendByTurns(7);
        for (const limit of [1, 4, 21, 500]) {
          expect(await windows('forwards', limit, { from: before })).toEqual(events);
          expect(await windows('backwards', limit, { until: before })).toEqual(events.toReversed());
        }
      });

      test('begins behind the position that it is given, in either direction', async () => {
        const events = await appendByTurns(2);
        const positions = events.map(({ position }) => position);
        const [first = START, , from = START] = positions;
        const end = positions.at(-1) ?? START;
        const after = await store.readWindow({ direction: 'forwards', from, limit: 2 });
        expect(after.events).toEqual(events.slice(3, 5));
        expect(await windows('forwards', 2, { from })).toEqual(events.slice(3));
        expect(await windows('backwards', 1, { from, until: first })).toEqual([events[1]]);
        expect(await windows('backwards', 4, { from: end, until: first })).toEqual(
          events.slice(1, -1).toReversed(),
        );
        const nothing = { events: [], isEnd: true };
        const beyondEnd = await store.readWindow({ direction: 'forwards', from: end, limit: 5 });
        expect(beyondEnd).toEqual({ ...nothing, reached: end });
        const beforeStart = await store.readWindow({ direction: 'backwards', from: START, limit: 5 });
        expect(beforeStart).toEqual({ ...nothing, reached: START });
      });

      test('misses nothing that was there when others append meanwhile', async () => {
        const before = await store.head();
        const events = await appendByTurns(5);
        const stream = newStream();
        const found: RecordedEvent[] = [];
        let count = 0;
        for (let place: Position | undefined; found.length < events.length; count += 1) {
          const window = await store.readWindow({ direction: 'backwards', from: place, limit: 4 });
          found.push(...window.events.filter(({ position }) => position > before));
          place = window.reached;
          await store.append(stream, count === 0 ? 'none' : count - 1, [event()]);
        }
        expect(found).toEqual(events.toReversed());
        const all = await windows('forwards', 4, { from: before });
        expect(all.slice(0, events.length)).toEqual(events);
        expect(all).toHaveLength(events.length + count);
      });

      test('refuses what can be no position of this log', async () => {
        const end = appended(await store.append(newStream(), 'none', [event()]));
        const beyond = String(BigInt(end) + 1_000_000n).padStart(end.length, '0');
        for (const direction of ['forwards', 'backwards'] as const)
          for (const from of ['nonsense', '42', beyond])
            await expect(store.readWindow({ direction, from, limit: 1 })).rejects.toThrow(TypeError);
      });
    });

    describe('subscribe', () => {
      test('delivers what was there from the start, then says that it caught up', async () => {
        const stream = newStream();
        const last = appended(await store.append(stream, 'none', numbered(1_000)));
        const subscriber = subscribe(START, [categoryOf(stream)]);
        expect(numbersOf(await subscriber.untilCaughtUp())).toEqual(range(0, 1_000));
        expect(subscriber.position >= last).toBe(true);
      });

      test('says that it caught up also when there is nothing to deliver', async () => {
        expect(await subscribe(await store.head()).untilCaughtUp()).toEqual([]);
        expect(await subscribe(START, ['nothing']).untilCaughtUp()).toEqual([]);
      });

      test('starts behind a position, also in the middle of an append', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(5));
        const events = await readAll(store, stream);
        const subscriber = subscribe(events[1]?.position ?? START, [categoryOf(stream)]);
        expect(await subscriber.untilCaughtUp()).toEqual(events.slice(2));
      });

      test('goes on live after it caught up', async () => {
        const stream = newStream();
        const subscriber = subscribe(START, [categoryOf(stream)]);
        await subscriber.untilCaughtUp();
        await store.append(stream, 'none', numbered(2));
        expect(numbersOf(await subscriber.take(2))).toEqual([0, 1]);
        await store.append(stream, 1, numbered(1, 2));
        expect(numbersOf(await subscriber.take(1))).toEqual([2]);
      });

      test('delivers only the wanted categories', async () => {
        const [wanted, also, other] = [newStream(), newStream(), newStream()];
        const before = await store.head();
        for (let n = 0; n < 20; n += 1) {
          const revision = n === 0 ? 'none' : n - 1;
          for (const stream of [other, wanted, also]) await store.append(stream, revision, numbered(1, n));
        }
        const events = await subscribe(before, [categoryOf(wanted), categoryOf(also)]).take(40);
        expect(new Set(events.map(({ stream }) => stream))).toEqual(new Set([wanted, also]));
        expect(await subscribe(before).take(60)).toHaveLength(60);
        // A name that begins with a category's name is not of that category.
        await store.append(`${categoryOf(wanted)}x-1`, 'none', [event()]);
        await store.append(wanted, 19, numbered(1, 20));
        expect(numbersOf(await subscribe(before, [categoryOf(wanted)]).take(21))).toEqual(range(0, 21));
      });

      test('delivers each event once and in order while several writers append', async () => {
        const streams = range(0, 8).map(() => newStream());
        const before = await store.head();
        const early = subscribe(before, streams.map(categoryOf));
        const writing = streams.map(async (stream) => {
          for (let n = 0; n < 50; n += 1)
            await store.append(stream, n === 0 ? 'none' : n * 2 - 1, numbered(2, n * 2));
        });
        const events = await early.take(800);
        await Promise.all(writing);
        const positions = events.map(({ position }) => position);
        expect(positions).toEqual([...new Set(positions)].sort());
        for (const stream of streams) {
          expect(numbersOf(events.filter((each) => each.stream === stream))).toEqual(range(0, 100));
        }
        expect(await subscribe(before, streams.map(categoryOf)).take(800)).toEqual(events);
      });

      test('loses nothing for a consumer that is slower than the writers', async () => {
        const stream = newStream();
        const subscriber = subscribe(await store.head(), [categoryOf(stream)]);
        await subscriber.untilCaughtUp();
        for (let n = 0; n < 40; n += 1) {
          await store.append(stream, n === 0 ? 'none' : n * 50 - 1, numbered(50, n * 50));
          if (n % 10 === 0) await subscriber.take(1);
        }
        expect(numbersOf(await subscriber.take(1_996))).toEqual(range(4, 2_000));
      });

      test('ends without an error when it is aborted while it waits', async () => {
        const controller = abortable();
        const subscriber = new Subscriber(
          store.subscribe({ after: await store.head(), signal: controller.signal }),
        );
        await subscriber.untilCaughtUp();
        const next = subscriber.next();
        controller.abort();
        expect(await next).toBeUndefined();
      });

      test('ends without an error when it is aborted between two events, or before it began', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(10));
        const controller = abortable();
        const options = { after: START, categories: [categoryOf(stream)], signal: controller.signal };
        const subscriber = new Subscriber(store.subscribe(options));
        await subscriber.take(2);
        controller.abort();
        expect(await subscriber.next()).toBeUndefined();
        expect(await new Subscriber(store.subscribe(options)).next()).toBeUndefined();
      });

      test('ends when it is left while a message is awaited', async () => {
        const { signal } = abortable();
        const subscription = store.subscribe({ after: await store.head(), signal });
        const iterator = subscription[Symbol.asyncIterator]();
        expect((await iterator.next()).value).toMatchObject({ kind: 'caught-up' });
        const pending = iterator.next();
        await iterator.return?.();
        expect(await pending).toMatchObject({ done: true });
      });
    });

    describe('keepLast', () => {
      test('leaves a stream its last events, with their revisions', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(10));
        await store.setMaxCount(stream, 3);
        expect(numbersOf(await readAll(store, stream))).toEqual([7, 8, 9]);
        expect((await readAll(store, stream)).map(({ revision }) => revision)).toEqual([7, 8, 9]);
        expect(numbersOf(await readAll(store, stream, 2))).toEqual([7, 8, 9]);
        expect(numbersOf(await readAll(store, stream, 8))).toEqual([8, 9]);
      });

      test('holds for what is appended later, also after a restart', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(2));
        await store.setMaxCount(stream, 2);
        expect(await store.append(stream, 1, numbered(1, 2))).toMatchObject({ revision: 2 });
        expect(numbersOf(await readAll(store, stream))).toEqual([1, 2]);
        store = await opened.reopen();
        expect(await store.append(stream, 2, numbered(5, 3))).toMatchObject({ revision: 7 });
        expect(numbersOf(await readAll(store, stream))).toEqual([6, 7]);
      });

      test('changes nothing about expected revisions', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(5));
        await store.setMaxCount(stream, 1);
        expect(await store.append(stream, 'none', [event()])).toEqual({ outcome: 'conflict', actual: 4 });
        expect(await store.append(stream, 3, [event()])).toEqual({ outcome: 'conflict', actual: 4 });
        expect(await store.append(stream, 4, [event()])).toMatchObject({ outcome: 'appended', revision: 5 });
      });

      test('keeps the same append again from writing twice while its events are kept', async () => {
        const stream = newStream();
        await store.append(stream, 'none', numbered(5));
        await store.setMaxCount(stream, 2);
        const events = [event()];
        const first = await store.append(stream, 4, events);
        expect(await store.append(stream, 4, events)).toEqual(first);
        expect(await readAll(store, stream)).toHaveLength(2);
      });

      test('takes no position back', async () => {
        const stream = newStream();
        const first = appended(await store.append(stream, 'none', [event()]));
        await store.append(stream, 0, [event(), event()]);
        await store.setMaxCount(stream, 1);
        expect(await store.mayHave(first)).toBe(true);
      });

      test('concerns no other stream, nor the head and subscriptions of what is kept', async () => {
        const [stream, other] = [newStream(), newStream()];
        await store.append(other, 'none', numbered(3));
        await store.append(stream, 'none', numbered(3));
        const head = await store.head();
        await store.setMaxCount(stream, 1);
        expect(await readAll(store, other)).toHaveLength(3);
        expect(await store.head()).toBe(head);
        const kept = await readAll(store, stream);
        const found = await subscribe(START, [categoryOf(stream)]).untilCaughtUp();
        expect(found.slice(-1)).toEqual(kept);
        await store.append(stream, 2, numbered(1, 3));
        expect(numbersOf(await subscribe(head, [categoryOf(stream)]).untilCaughtUp())).toEqual([3]);
      });
    });

    describe('mayHave', () => {
      test('knows every position that was given, and denies what lies beyond the end', async () => {
        const stream = newStream();
        const first = appended(await store.append(stream, 'none', [event()]));
        const last = appended(await store.append(stream, 0, [event()]));
        store = await opened.reopen();
        for (const position of [first, last]) expect(await store.mayHave(position)).toBe(true);
        const beyond = String(BigInt(last) + 1_000_000n).padStart(last.length, '0');
        expect(await store.mayHave(beyond)).toBe(false);
      });

      test('denies text that is no position of any store', async () => {
        for (const text of ['0', '42', 'x', '-1', '9'.repeat(20), '9'.repeat(21), `${'0'.repeat(19)}x`]) {
          expect([text, await store.mayHave(text)]).toEqual([text, false]);
        }
      });
    });

    describe('closing', () => {
      test('keeps everything for the next opening', async () => {
        const stream = newStream();
        const before = await store.head();
        await store.append(stream, 'none', numbered(10));
        const [events, head] = [await readAll(store, stream), await store.head()];
        store = await opened.reopen();
        expect(await readAll(store, stream)).toEqual(events);
        expect(await store.head()).toBe(head);
        expect(await subscribe(before).take(10)).toEqual(events);
        const next = appended(await store.append(stream, 9, numbered(1, 10)));
        expect(next > head).toBe(true);
      });

      test('finishes the appends that were accepted', async () => {
        const stream = newStream();
        const appending = store.append(stream, 'none', numbered(3));
        await store.close();
        expect(await appending).toMatchObject({ outcome: 'appended', revision: 2 });
        store = await opened.reopen();
        expect(await readAll(store, stream)).toHaveLength(3);
      });

      test('ends subscriptions without an error', async () => {
        const subscriber = subscribe(await store.head());
        await subscriber.untilCaughtUp();
        const next = subscriber.next();
        await store.close();
        expect(await next).toBeUndefined();
      });

      test('makes every later call reject', async () => {
        await store.close();
        await expect(store.append(newStream(), 'none', [event()])).rejects.toThrow();
        await expect(readAll(store, newStream())).rejects.toThrow();
        await expect(allOf(store.readBackwards(newStream()))).rejects.toThrow();
        await expect(store.readWindow({ direction: 'backwards', limit: 1 })).rejects.toThrow();
        await expect(store.head()).rejects.toThrow();
        await expect(subscribe(START).next()).rejects.toThrow();
        await store.close();
      });
    });
  });
}

/** Reads a subscription step by step, so that a test can say how far. */
class Subscriber {
  position: Position = START;
  readonly #iterator: AsyncIterator<SubscriptionMessage>;

  constructor(subscription: AsyncIterable<SubscriptionMessage>) {
    this.#iterator = subscription[Symbol.asyncIterator]();
  }

  /** Undefined at the end. */
  async next(): Promise<SubscriptionMessage | undefined> {
    const { done, value } = await this.#iterator.next();
    if (done) return undefined;
    const message: SubscriptionMessage = value;
    this.position = message.kind === 'event' ? message.event.position : message.position;
    return message;
  }

  async take(count: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    while (events.length < count) {
      const message = await this.next();
      if (message === undefined) throw new Error(`the subscription ended after ${events.length} events`);
      if (message.kind === 'event') events.push(message.event);
    }
    return events;
  }

  async untilCaughtUp(): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const message = await this.next();
      if (message === undefined) throw new Error('the subscription ended before it caught up');
      if (message.kind === 'caught-up') return events;
      if (message.kind === 'event') events.push(message.event);
    }
  }
}

function newStream(): string {
  return `thing${randomUUID().replaceAll('-', '')}-${randomUUID()}`;
}

const categoryOf = (stream: string) => stream.slice(0, stream.indexOf('-'));

function event(data: JsonObject = {}): EventToAppend {
  return { id: randomUUID(), type: 'thing-happened', data, metadata: {} };
}

function numbered(count: number, from = 0): EventToAppend[] {
  return range(from, from + count).map((n) => event({ n }));
}

const numbersOf = (events: readonly RecordedEvent[]) => events.map(({ data }) => data.n);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

const readAll = (store: EventStore, stream: string, from?: number) => allOf(store.read(stream, from));

function appended(result: AppendResult): Position {
  if (result.outcome !== 'appended') throw new Error(`a conflict with revision ${result.actual}`);
  return result.position;
}
