// Tests of the EventStoreDB adapter against a failing server, on the stand-in of test/support/event-store-stand-in.
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type EventStoreDb, openEventStoreDb } from '../../../src/adapters/eventstoredb/event-store.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { type EventToAppend, type RecordedEvent, START } from '../../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { allOf } from '../../support/all-of.ts';
import { deferred } from '../../support/deferred.ts';
import { StandInLog, textRecord } from '../../support/event-store-stand-in/log.ts';
import {
  type EventStoreStandIn,
  UNAVAILABLE,
  UNKNOWN,
} from '../../support/event-store-stand-in/open-stand-in.ts';
import { startEventStoreStandIn } from '../../support/event-store-stand-in/server.ts';
import { eventually } from '../../support/eventually.ts';

const PREFIX = 'faults';

async function opened(): Promise<{ standIn: EventStoreStandIn; store: EventStoreDb; reports: string[] }> {
  const standIn = await startEventStoreStandIn();
  const reports: string[] = [];
  const store = await openEventStoreDb({
    url: standIn.url,
    prefix: PREFIX,
    logger: loggerTo((message) => reports.push(message)),
  });
  onTestFinished(() => store.close());
  return { standIn, store, reports };
}

const event = (): EventToAppend => ({ id: randomUUID(), type: 'Happened', data: { n: 1 }, metadata: {} });

function follow(store: EventStoreDb, categories?: readonly string[]) {
  const seen: RecordedEvent[] = [];
  const stopping = new AbortController();
  let isCaughtUp = false;
  const { signal } = stopping;
  const running = (async () => {
    for await (const message of store.subscribe({
      after: START,
      signal,
      ...(categories ? { categories } : {}),
    })) {
      if (message.kind === 'event') seen.push(message.event);
      if (message.kind === 'caught-up') isCaughtUp = true;
    }
  })();
  onTestFinished(async () => {
    stopping.abort();
    await running;
  });
  const hasSeen = (count: number) =>
    eventually(`${count} events are seen`, async () => isCaughtUp && seen.length >= count);
  return { seen, hasSeen };
}

test.each([
  7, 16,
])('a user who may not read $all is refused at the start, with the right that is needed: code %i', async (code) => {
  const standIn = await startEventStoreStandIn();
  standIn.faults.reads.push(code);
  const opening = openEventStoreDb({ url: standIn.url, prefix: PREFIX });
  await expect(opening).rejects.toThrow('grant the user that access');
  await expect(opening).rejects.not.toThrow('administrator');
});

describe('an unknown answer', () => {
  test.each([
    1, 3, 12,
  ])('to %i reads of a reconnect does not make the log another one: appends go on, and it is well again', async (times) => {
    const { standIn, store, reports } = await opened();
    await store.append('thing-1', 'none', [event()]);
    const follower = follow(store);
    await follower.hasSeen(1);
    standIn.faults.reads.push(...Array.from({ length: times }, () => UNKNOWN));
    standIn.endCalls(UNAVAILABLE);
    await eventually('all of them were met', async () => standIn.faults.reads.length === 0);
    expect(await store.append('thing-2', 'none', [event()])).toMatchObject({ outcome: 'appended' });
    await follower.hasSeen(2);
    await eventually('it is well again', async () => store.trouble() === undefined);
    expect(store.trouble()).toBeUndefined();
    expect(reports.filter((message) => message.includes('replaced'))).toEqual([]);
  });

  test('to a read of a stream or of the head is asked again, and only so often', async () => {
    const { standIn, store } = await opened();
    const own = event();
    await store.append('thing-1', 'none', [own]);
    standIn.faults.reads.push(UNKNOWN, UNKNOWN);
    expect((await allOf(store.read('thing-1'))).map(({ id }) => id)).toEqual([own.id]);
    const before = standIn.calls.read;
    standIn.faults.reads.push(...Array.from({ length: 100 }, () => UNKNOWN));
    await expect(allOf(store.read('thing-1'))).rejects.toMatchObject({ code: UNKNOWN });
    expect(standIn.calls.read - before).toBeLessThan(10);
  });

  test('that lasts is told to callers as a store that is away: they may try again', async () => {
    const { standIn, store } = await opened();
    await store.append('thing-1', 'none', [event()]);
    for (const code of [UNKNOWN, UNAVAILABLE]) {
      standIn.faults.reads.push(...Array.from({ length: 100 }, () => code));
      await expect(allOf(store.read('thing-1'))).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(store.head()).rejects.toBeInstanceOf(StoreUnavailable);
      standIn.faults.reads.splice(0);
    }
    const closed = await openEventStoreDb({ url: standIn.url, prefix: PREFIX });
    await closed.close();
    await expect(closed.append('thing-2', 'none', [event()])).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test.each([
    ['before it was written', { code: UNKNOWN, written: false }],
    ['after it was written', { code: UNKNOWN, written: true }],
    ['after it was written, by a connection that breaks', { code: UNAVAILABLE, written: true }],
    ['without a reason', 'unclear' as const],
  ])('to an append, %s, is asked again with the identical append, which is recorded once', async (_when, fault) => {
    const { standIn, store } = await opened();
    const events = [event(), event()];
    standIn.faults.appends.push(fault, fault);
    expect(await store.append('thing-1', 'none', events)).toMatchObject({ outcome: 'appended', revision: 1 });
    expect((await allOf(store.read('thing-1'))).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(standIn.calls.append).toBe(3);
    expect(store.trouble()).toBeUndefined();
  });
});

describe('what refuses appends', () => {
  test('is over after half a minute without an append', async () => {
    const { standIn, store } = await opened();
    standIn.faults.appends.push({ refused: 'AccessDenied' });
    await expect(store.append('thing-1', 'none', [event()])).rejects.toThrow('AccessDenied');
    expect(store.trouble()).toBeDefined();
    const failedAt = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => failedAt + 31_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(store.trouble()).toBeUndefined();
  });

  test.each([
    'AccessDenied',
    // Servers since 24.10.4, where an operator has set a largest event.
    'MaximumAppendEventSizeExceeded',
  ])('is told with its reason at once, until an append succeeds: %s', async (refused) => {
    const { standIn, store } = await opened();
    standIn.faults.appends.push({ refused });
    await expect(store.append('thing-1', 'none', [event()])).rejects.toThrow(`refused an append: ${refused}`);
    expect(standIn.calls.append).toBe(1);
    expect(store.trouble()).toBeDefined();
    expect(store.trouble()).toContain(refused);
    await store.append('thing-1', 'none', [event()]);
    expect(store.trouble()).toBeUndefined();
  });

  test.each([
    ['at the same place', 0],
    ['where its place is none', 7],
  ])('is another log: an event of another id, %s', async (_where, moreBytes) => {
    const { standIn, store, reports } = await opened();
    await store.append('thing-1', 'none', [event()]);
    const follower = follow(store);
    await follower.hasSeen(1);
    await store.append('thing-2', 'none', [event()]);
    await follower.hasSeen(2);

    const other = new StandInLog();
    const text = JSON.stringify({ n: 1, more: 'x'.repeat(moreBytes) });
    const record = () => textRecord('Happened', moreBytes === 0 ? '{"n":1}' : text);
    other.write(`${PREFIX}.thing-1`, 'none', [record()]);
    other.write(`${PREFIX}.thing-2`, 'none', [record()]);
    other.write(`${PREFIX}.thing-3`, 'none', [record(), record(), record()]);
    standIn.log = other;
    standIn.endCalls(UNAVAILABLE);
    await eventually('it is noticed', async () => reports.some((message) => message.includes('replaced')));
    expect(store.trouble()).toBeDefined();
    expect(store.trouble()).toContain('replaced');
    await expect(store.append('thing-4', 'none', [event()])).rejects.toThrow('the event log was replaced');
    expect(follower.seen).toHaveLength(2);
  });

  test('is not a log that ends too early, but it is told: what it records next would be missed', async () => {
    const { standIn, store } = await opened();
    await store.append('thing-1', 'none', [event()]);
    const follower = follow(store);
    await follower.hasSeen(1);
    // Told by what follows the log all the time, which then has seen it as well.
    await store.append('thing-2', 'none', [event()]);
    await follower.hasSeen(2);
    standIn.log = new StandInLog();
    standIn.endCalls(UNAVAILABLE);
    await eventually('it is told', async () => store.trouble()?.includes('ends before') ?? false);
    expect(store.trouble()).toBeDefined();
  });
});

describe('records that other programs wrote', () => {
  const broken = () => textRecord('Painted', '{"colour": nonsense', { metadata: 'not JSON either' });

  test('do not stop the log: what is not asked for is not parsed, and what is asked for says why it is unreadable', async () => {
    const { standIn, store, reports } = await opened();
    const mine = event();
    standIn.log.write('painting-1', 'none', [broken()]);
    standIn.log.write(`${PREFIX}.painting-1`, 'none', [broken()]);
    await store.append('thing-1', 'none', [mine]);
    standIn.log.write(`${PREFIX}.thing-1`, 0, [broken(), textRecord('Painted', '[1]')]);
    const [all, things] = [follow(store), follow(store, ['thing'])];
    await things.hasSeen(3);
    await all.hasSeen(4);
    standIn.log.write('painting-1', 0, [broken()]);
    standIn.log.write(`${PREFIX}.painting-1`, 0, [broken()]);
    standIn.log.write(`${PREFIX}.thing-1`, 2, [broken()]);
    await things.hasSeen(4);
    await all.hasSeen(6);
    expect(things.seen.map(({ revision, unreadable }) => [revision, unreadable])).toEqual([
      [0, undefined],
      [1, 'its data are not JSON'],
      [2, 'its data are not a JSON object'],
      [3, 'its data are not JSON'],
    ]);
    expect((await allOf(store.read('thing-1'))).map(({ id }) => id)).toEqual(things.seen.map(({ id }) => id));
    expect(things.seen[0]).toMatchObject({ id: mine.id, data: { n: 1 } });
    const { events } = await store.readWindow({ direction: 'forwards', limit: 100 });
    expect(events).toEqual(all.seen);
    expect(await allOf(store.readBackwards('thing-1'))).toEqual(things.seen.toReversed());
    expect(store.trouble()).toBeUndefined();
    expect(reports).toEqual([]);
  });
});

describe('the end of the log', () => {
  const others = (standIn: EventStoreStandIn, name: string, count: number) =>
    standIn.log.write(
      name,
      'none',
      Array.from({ length: count }, () => textRecord('Other', '{}')),
    );

  test.each([
    ['by events of its own', 0],
    ['by events of its own, and others behind them', 3],
    ['by events of its own, and many others behind them', 3_000],
  ])('is found by a few records, however much it has grown: %s', async (_how, behind) => {
    const { standIn, store } = await opened();
    await store.append('thing-1', 'none', [event()]);
    await store.head();
    for (let n = 0; n < 2_000; n += 1)
      standIn.log.write(`${PREFIX}.thing-new-${n}`, 'none', [textRecord('Happened', '{"n":1}')]);
    const last = String(standIn.log.records.at(-1)?.position).padStart(20, '0');
    if (behind > 0) others(standIn, 'other-1', behind);
    standIn.calls.recordsSent = 0;
    expect(await store.head()).toBe(last);
    expect(standIn.calls.recordsSent).toBeLessThanOrEqual(4);
  });

  test('is waited for at the start, however long the server examines the records of others, while it answers', async () => {
    const { standIn, store } = await opened();
    await store.append('thing-1', 'none', [event()]);
    const head = await store.head();
    others(standIn, 'other-1', 10);
    const { promise: scan, resolve: examined } = deferred();
    standIn.scan = scan;
    let probes = 0;
    standIn.calls.told = (kind) => {
      if (kind === 'log') probes += 1;
    };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const opening = openEventStoreDb({ url: standIn.url, prefix: PREFIX, startTimeout: 0 });
    await eventually('it searches', async () => probes === 2);
    for (let silence = 1; silence <= 3; silence += 1) {
      const before = probes;
      vi.advanceTimersByTime(6_250);
      await eventually('the silence is looked into', async () => probes > before);
    }
    examined();
    const late = await opening;
    vi.useRealTimers();
    expect(await late.head()).toBe(head);
    await late.close();
  });
});

describe('a window of the log', () => {
  test('looks at so many records of the database, whosoever they are, and ends where this log ends', async () => {
    const { standIn, store } = await opened();
    const ids: string[] = [];
    const others = (name: string) => {
      for (let n = 0; n < 10; n += 1) standIn.log.write(`${name}-${n}`, 'none', [textRecord('Other', '{}')]);
    };
    for (const stream of ['thing-1', 'thing-2']) {
      const own = event();
      ids.push(own.id);
      await store.append(stream, 'none', [own]);
      others(`after.${stream}`);
    }
    const all = async (direction: 'forwards' | 'backwards') => {
      const windows: number[] = [];
      const found: string[] = [];
      for (let from: string | undefined; ; ) {
        const { events, reached, isEnd } = await store.readWindow({ direction, from, limit: 4 });
        windows.push(events.length);
        found.push(...events.map(({ id }) => id));
        if (isEnd) {
          // Behind it, others have recorded more: the place is one of this log, from which a window can begin.
          if (direction === 'forwards') expect(reached).toBe(await store.head());
          return { windows, found };
        }
        from = reached;
      }
    };
    // The database begins with a record of its own.
    expect(await all('forwards')).toEqual({ windows: [1, 0, 0, 1], found: ids });
    expect(await all('backwards')).toEqual({ windows: [1, 0, 1, 0], found: ids.toReversed() });
  });

  test('is asked for again where the server does not answer, and is told to callers as a store that is away', async () => {
    const { standIn, store } = await opened();
    await store.append('thing-1', 'none', [event()]);
    const ask = () => store.readWindow({ direction: 'backwards', limit: 2 });
    standIn.faults.reads.push(UNAVAILABLE, UNKNOWN);
    expect((await ask()).events).toHaveLength(1);
    standIn.faults.reads.push(...Array.from({ length: 100 }, () => UNAVAILABLE));
    await expect(ask()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('does not begin at a place that is no record', async () => {
    const { store } = await opened();
    await store.append('thing-1', 'none', [event()]);
    const head = await store.head();
    const from = String(BigInt(head) - 1n).padStart(head.length, '0');
    for (const direction of ['forwards', 'backwards'] as const)
      await expect(store.readWindow({ direction, from, limit: 2 })).rejects.toThrow(TypeError);
  });
});

describe('a subscription', () => {
  test('that rests while more is recorded than is kept in memory gets all of it, from the server again', async () => {
    const { standIn, store } = await opened();
    const stopping = new AbortController();
    const resting = store.subscribe({ after: START, signal: stopping.signal })[Symbol.asyncIterator]();
    expect(await resting.next()).toMatchObject({ value: { kind: 'caught-up' } });
    const follower = follow(store);
    for (let n = 0; n < 3_000; n += 1)
      standIn.log.write(`${PREFIX}.thing-${n}`, 'none', [textRecord('Happened', `{"n":${n}}`)]);
    await follower.hasSeen(3_000);
    const before = standIn.calls.read;
    const seen: unknown[] = [];
    while (seen.length < 3_000) {
      const { value } = await resting.next();
      if (value?.kind === 'event') seen.push(value.event.data.n);
    }
    stopping.abort();
    expect(seen).toEqual(Array.from({ length: 3_000 }, (_, n) => n));
    expect(standIn.calls.read).toBeGreaterThan(before);
  });

  test('loses and doubles nothing when the server drops it again and again', async () => {
    const { standIn, store } = await opened();
    const follower = follow(store);
    const ids: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const events = [event(), event()];
      ids.push(...events.map(({ id }) => id));
      await store.append(`thing-${round}`, 'none', events);
      if (round % 3 === 0) standIn.dropSubscriptions();
    }
    await follower.hasSeen(40);
    expect(follower.seen.map(({ id }) => id)).toEqual(ids);
  });

  test('that the server drops for being slow is normal: nothing is logged', async () => {
    const { standIn, store, reports } = await opened();
    const follower = follow(store);
    for (let round = 1; round <= 3; round += 1) {
      await store.append(`thing-${round}`, 'none', [event()]);
      await follower.hasSeen(round);
      standIn.dropSubscriptions();
    }
    await store.append('thing-4', 'none', [event()]);
    await follower.hasSeen(4);
    expect(reports).toEqual([]);
    expect(store.trouble()).toBeUndefined();
  });

  test('that is dropped twice at one place has failed, until it goes on', async () => {
    const { standIn, store, reports } = await opened();
    await store.append('thing-1', 'none', [event()]);
    const follower = follow(store);
    await follower.hasSeen(1);
    // The first event may have been read from the log; the second is delivered by the subscription that is dropped.
    await store.append('thing-2', 'none', [event()]);
    await follower.hasSeen(2);
    let again = 0;
    standIn.calls.told = (kind) => {
      if (kind === 'subscription') again += 1;
    };
    standIn.dropSubscriptions();
    await eventually('it is followed again', async () => again === 1);
    standIn.dropSubscriptions();
    await eventually('it is lost', async () => reports.includes('event log subscription lost'));
    await eventually('it goes on', async () => reports.includes('event log subscription restored'));
    expect(store.trouble()).toBeUndefined();
  });

  test('that cannot catch up for a while delivers everything once, and says when it has caught up', async () => {
    const { standIn, store } = await opened();
    const ids = [event(), event()];
    await store.append('thing-1', 'none', ids);
    const later = await openEventStoreDb({ url: standIn.url, prefix: PREFIX });
    onTestFinished(() => later.close());
    standIn.faults.reads.push(...Array.from({ length: 60 }, () => UNAVAILABLE));
    const stopping = new AbortController();
    const seen: string[] = [];
    for await (const message of later.subscribe({ after: START, signal: stopping.signal })) {
      seen.push(message.kind === 'event' ? message.event.id : message.kind);
      if (message.kind === 'caught-up') break;
    }
    expect(seen).toEqual([...ids.map(({ id }) => id), 'caught-up']);
    expect(standIn.faults.reads).toEqual([]);
  });
});
