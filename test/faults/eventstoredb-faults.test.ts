// The EventStoreDB adapter loses nothing and doubles nothing when the server is killed or stalls, and when the network fails.
import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type EventStoreDb,
  type EventStoreDbOptions,
  openEventStoreDb,
} from '../../src/adapters/eventstoredb/event-store.ts';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type RecordedEvent,
  START,
} from '../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../src/kernel/ports/logger.ts';
import {
  type EventStoreServer,
  hasEventStoreOfItsOwn,
  startEventStoreServer,
  tellOfSkippedEventStore,
} from '../support/event-store-server.ts';
import { eventually } from '../support/eventually.ts';
import { type LoopbackProxy, openLoopbackProxy } from '../support/loopback-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

if (!hasEventStoreOfItsOwn) tellOfSkippedEventStore('what becomes of a log in EventStoreDB when it fails');

describe.skipIf(!hasEventStoreOfItsOwn)('an event store in EventStoreDB', () => {
  let server: EventStoreServer;
  beforeAll(async () => {
    server = await startEventStoreServer();
  });
  afterAll(() => server?.dispose());

  test('keeps each acknowledged append once when the server is killed among fifty writers', async () => {
    const prefix = newPrefix();
    const store = await open(server.port, { prefix });
    const follower = follow(await open(server.port, { prefix }));
    const writers = Array.from({ length: 50 }, () => new Writer(store));
    const writing = writers.map((writer) => writer.append(30));
    await eventually('there is something to lose', async () => acknowledgedBy(writers) >= 400);
    await server.kill();
    await server.start();
    await Promise.all(writing);

    for (const writer of writers) expect(await idsOf(store, writer.stream)).toEqual(writer.acknowledged);
    await follower.hasSeen(1_500);
    follower.expectInOrder(writers);
  });

  test('does not go on when the log was put back from an older copy, also where the places agree', async () => {
    const restored = await startEventStoreServer();
    onTestFinished(() => restored.dispose());
    const prefix = newPrefix();
    const reports: string[] = [];
    const store = await open(restored.port, { prefix, logger: loggerTo((message) => reports.push(message)) });
    await store.append('thing-0', 'none', [event()]);
    await restored.kill();
    const copy = await temporaryFolder();
    await cp(restored.folder, copy, { recursive: true });
    await restored.start();
    const follower = follow(store);
    await persistently(() => store.append('thing-1', 'none', [event()]));
    await follower.hasSeen(2);

    await restored.kill();
    await rm(restored.folder, { recursive: true });
    await cp(copy, restored.folder, { recursive: true });
    await restored.start();
    const other = await open(restored.port, { prefix });
    // Mostly the places agree; a server that had not made its users yet when it was killed writes them in between.
    const result = await other.append('thing-1', 'none', [event()]);
    expect(result).toMatchObject({ outcome: 'appended', revision: 0 });
    await other.append('thing-1', 0, [event()]);
    await eventually('it is noticed', async () => reports.some((message) => message.includes('replaced')));
    expect(store.trouble()).toBeDefined();
    expect(follower.seen).toHaveLength(2);
    await expect(store.append('thing-2', 'none', [event()])).rejects.toThrow('the event log was replaced');
    expect(await idsOf(other, 'thing-2')).toEqual([]);
  });

  const outages: readonly (readonly [string, (of: Faulty) => Promise<void>])[] = [
    [
      'the connection is cut',
      async ({ proxy, noticed }) => {
        proxy.cut();
        await noticed();
        proxy.resume();
      },
    ],
    [
      'the network stalls',
      async ({ proxy, noticed }) => {
        proxy.stall();
        await noticed();
        proxy.resume();
      },
    ],
    [
      'the server stalls',
      async ({ noticed }) => {
        server.freeze();
        await noticed();
        server.thaw();
      },
    ],
    [
      'the server is killed',
      async ({ noticed }) => {
        await server.kill();
        await noticed();
        await server.start();
      },
    ],
  ];

  test.each(outages)('tells subscribers everything once and in order when %s', async (_what, outage) => {
    const prefix = newPrefix();
    const proxy = await openLoopbackProxy(server.port);
    let lost = 0;
    const store = await open(proxy.port, {
      prefix,
      logger: loggerTo((message) => {
        if (message === LOST) lost += 1;
      }),
    });
    const direct = await open(server.port, { prefix });
    const writer = new Writer(direct);
    const other = new Writer(direct);
    await writer.append(5);
    const followers = [follow(store), follow(store, [categoryOf(writer.stream)]), follow(store, ['nothing'])];
    const [all, one, none] = followers;
    await one?.hasSeen(5);
    expect(store.trouble()).toBeUndefined();

    await outage({
      proxy,
      noticed: async () => {
        await eventually('it is noticed', async () => lost > 0);
        expect(store.trouble()).toBeDefined();
        await expect(store.head()).rejects.toThrow();
      },
    });
    await persistently(() => other.append(3));
    await persistently(() => writer.append(5));
    await all?.hasSeen(13);
    await one?.hasSeen(10);
    all?.expectInOrder([writer, other]);
    one?.expectInOrder([writer]);
    const head = await persistently(() => store.head());
    await eventually(
      'also those who want none of it hear how far it is',
      async () => none?.position === head,
    );
    expect(none?.seen).toEqual([]);
    await eventually('it is well again', async () => store.trouble() === undefined);
  });

  test('closes while the server stalls, and leaves no one waiting', async () => {
    const store = await open(server.port, { prefix: newPrefix() });
    await store.append('thing-1', 'none', [event()]);
    const iterator = store
      .subscribe({ after: START, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    const subscribed = iterator.next();
    server.freeze();
    try {
      const appending = store.append('thing-1', 0, [event()]).catch((error: Error) => error);
      await store.close();
      expect(await appending).toBeInstanceOf(Error);
      expect(await subscribed).toMatchObject({ done: true });
    } finally {
      server.thaw();
    }
  });

  async function open(
    port: number,
    options: Partial<EventStoreDbOptions> & { readonly prefix: string },
  ): Promise<EventStoreDb> {
    const store = await openEventStoreDb({
      url: `esdb://127.0.0.1:${port}?tls=false&keepAliveInterval=1000&keepAliveTimeout=1000`,
      appendTimeout: 20_000,
      ...options,
    });
    onTestFinished(() => store.close());
    return store;
  }
});

/** What is reported when a connection was found to be of no use any more. */
const LOST = 'event log subscription lost';

interface Faulty {
  readonly proxy: LoopbackProxy;
  /** Resolves when the outage was noticed. */
  readonly noticed: () => Promise<void>;
}

/** Appends to a stream of its own, one event after another. */
class Writer {
  readonly stream = `thing${randomUUID().slice(0, 8)}-1`;
  readonly acknowledged: string[] = [];
  readonly #store: EventStore;

  constructor(store: EventStore) {
    this.#store = store;
  }

  async append(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const events = [event()];
      const last = this.acknowledged.length - 1;
      const result: AppendResult = await persistently(() =>
        this.#store.append(this.stream, last < 0 ? 'none' : last, events),
      );
      expect(result).toMatchObject({ outcome: 'appended', revision: last + 1 });
      this.acknowledged.push(events[0]?.id ?? '');
    }
  }
}

/** A subscriber that notes what it is told. */
function follow(store: EventStore, categories?: readonly string[]) {
  const controller = new AbortController();
  const seen: RecordedEvent[] = [];
  const follower = {
    seen: seen as readonly RecordedEvent[],
    /** Of the last time it had caught up. */
    position: undefined as string | undefined,
    hasSeen: (count: number) => eventually(`${count} events are seen`, async () => seen.length >= count),
    /** All that the writers know to be written, once, and in the order of positions. */
    expectInOrder(writers: readonly Writer[]): void {
      const positions = seen.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort());
      for (const { stream, acknowledged } of writers) {
        const ids = seen.filter((each) => each.stream === stream).map(({ id }) => id);
        expect(ids).toEqual(acknowledged);
      }
    },
  };
  const { signal } = controller;
  const ended = (async () => {
    const wanted = { after: START, signal, ...(categories === undefined ? {} : { categories }) };
    for await (const message of store.subscribe(wanted)) {
      if (message.kind === 'event') seen.push(message.event);
      else if (message.kind === 'caught-up') follower.position = message.position;
    }
  })();
  onTestFinished(() => {
    controller.abort();
    return ended;
  });
  return follower;
}

/** Again and again, as whoever needs the outcome would; the call must be the same each time. */
async function persistently<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const acknowledgedBy = (writers: readonly Writer[]) =>
  writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);

const categoryOf = (stream: string) => stream.slice(0, stream.indexOf('-'));

function newPrefix(): string {
  return `t${randomUUID().replaceAll('-', '').slice(1)}`;
}

function event(): EventToAppend {
  return { id: randomUUID(), type: 'thing-happened', data: { text: 'x'.repeat(100) }, metadata: {} };
}

async function read(store: EventStore, stream: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const each of store.read(stream)) events.push(each);
  return events;
}

async function idsOf(store: EventStore, stream: string): Promise<string[]> {
  return (await read(store, stream)).map(({ id }) => id);
}
