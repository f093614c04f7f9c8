// The EventStoreDB adapter keeps the port's contract on a real server.
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EventStoreUnreachable } from '../../../src/adapters/eventstoredb/connection.ts';
import { openEventStoreDb } from '../../../src/adapters/eventstoredb/event-store.ts';
import { eventStoreDb } from '../../../src/adapters/eventstoredb/index.ts';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type Position,
  START,
  type SubscribeOptions,
  type SubscriptionMessage,
} from '../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import {
  hasEventStore,
  sharedEventStoreUrl,
  stopSharedEventStore,
  tellOfSkippedEventStore,
} from '../../support/event-store-server.ts';
import { freePort } from '../../support/free-port.ts';
import { eventStoreContract } from '../event-store.contract.ts';

if (!hasEventStore) tellOfSkippedEventStore('the contract of an event store on EventStoreDB');
stopSharedEventStore();

describe.skipIf(!hasEventStore)('with a real server,', () => {
  eventStoreContract('the EventStoreDB event store', async () => {
    const url = await sharedEventStoreUrl();
    const prefix = newPrefix();
    const open = () => eventStoreDb['event-store'].open({ url, prefix, logger: silentLogger });
    let current = await open();
    return {
      store: current.port,
      async reopen() {
        await current.close();
        current = await open();
        return current.port;
      },
      dispose: () => current.close(),
    };
  });

  describe('beside other logs in the same database', () => {
    test('a log has events, an end and subscriptions of its own', async () => {
      const prefix = newPrefix();
      const [one, other] = [await openStore(prefix), await openStore(`${prefix}x`)];
      expect(await one.head()).toBe(START);
      await other.append('thing-1', 'none', numbered(3));
      expect(await one.head()).toBe(START);
      expect(await taken(one, { after: START })).toEqual([{ kind: 'caught-up', position: START }]);
      const result = await one.append('thing-1', 'none', numbered(2));
      expect(result).toMatchObject({ outcome: 'appended', revision: 1 });
      await other.append('thing-1', 2, numbered(3));
      const { position } = result as { position: Position };
      expect(await one.head()).toBe(position);
      expect((await taken(one, { after: START })).at(-1)).toEqual({ kind: 'caught-up', position });
    });
  });

  test('a log that is not wholly restored is refused to whoever opens it as a service does', async () => {
    const settings = { url: await sharedEventStoreUrl(), prefix: newPrefix(), logger: silentLogger };
    const copy = await eventStoreDb['event-store'].openForRestore(settings);
    try {
      await copy.begin();
      await copy.store.append('thing-1', 'none', numbered(2));
      await expect(eventStoreDb['event-store'].open(settings)).rejects.toThrow('the event log is incomplete');
      await copy.finish();
    } finally {
      await copy.close();
    }
    const { port, close } = await eventStoreDb['event-store'].open(settings);
    onTestFinished(close);
    expect(await taken(port, { after: START })).toHaveLength(3);
  });

  test('a subscriber to little is told how far it has come, and can go on from any such place', async () => {
    const store = await openStore(newPrefix());
    await store.append('thing-1', 'none', numbered(2));
    for (let written = 0; written < 25_000; written += 1_000) {
      await store.append(`other-${written}`, 'none', numbered(1_000));
    }
    await store.append('thing-1', 1, numbered(2, 2));
    for (let written = 25_000; written < 30_000; written += 1_000) {
      await store.append(`other-${written}`, 'none', numbered(1_000));
    }
    const messages = await taken(store, { after: START, categories: ['thing'] });
    const kinds = messages.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'event')).toHaveLength(4);
    const checkpoints = messages.filter((message) => message.kind === 'checkpoint');
    expect(checkpoints.length).toBeGreaterThanOrEqual(1);
    for (const { position } of checkpoints) {
      const place = messages.findIndex((message) => placeOf(message) === position);
      const rest = await taken(await openStoreAgain(store), { after: position, categories: ['thing'] });
      expect(eventsOf(rest)).toEqual(eventsOf(messages.slice(place)));
      expect(position <= (await store.head())).toBe(true);
    }
  });

  test('says that it caught up again when events are recorded that are not wanted', async () => {
    const store = await openStore(newPrefix());
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const subscription = store.subscribe({ after: START, categories: ['thing'], signal: controller.signal });
    const iterator = subscription[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ kind: 'caught-up', position: START });
    for (let n = 0; n < 10; n += 1) {
      const position = positionOf(await store.append(`other-${n}`, 'none', numbered(1)));
      expect((await iterator.next()).value).toEqual({ kind: 'caught-up', position });
    }
  });

  test('repeats an append whose events are no longer kept without writing it again', async () => {
    const store = await openStore(newPrefix());
    const events = numbered(2);
    await store.append('thing-1', 'none', events);
    const last = await store.append('thing-1', 1, numbered(3, 2));
    await store.setMaxCount('thing-1', 1);
    const again = await store.append('thing-1', 'none', events);
    expect(again).toMatchObject({ outcome: 'appended', revision: 1 });
    expect(positionOf(again) >= positionOf(last)).toBe(true);
    expect(await store.append('thing-1', 4, numbered(1))).toMatchObject({ revision: 5 });
  });

  test('tells the operator in a sentence that no server answers, without the password', async () => {
    const opening = openEventStoreDb({
      url: `esdb://user:hunter2@127.0.0.1:${await freePort()}?tls=false`,
      prefix: 'levy',
      startTimeout: 300,
    });
    const error = await opening.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EventStoreUnreachable);
    expect(String(error)).toMatch(/the event store at esdb:\/\/127\.0\.0\.1:\d+ does not respond/);
    expect(String(error)).not.toContain('hunter2');
  });
});

const prefixes = new WeakMap<EventStore, string>();

async function openStore(prefix: string): Promise<EventStore> {
  const store = await openEventStoreDb({ url: await sharedEventStoreUrl(), prefix });
  onTestFinished(() => store.close());
  prefixes.set(store, prefix);
  return store;
}

/** The same log as another process sees it. */
function openStoreAgain(store: EventStore): Promise<EventStore> {
  return openStore(prefixes.get(store) ?? '');
}

function newPrefix(): string {
  return `t${randomUUID().replaceAll('-', '').slice(1)}`;
}

function numbered(count: number, from = 0): EventToAppend[] {
  return Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    type: 'thing-happened',
    data: { n: from + index },
    metadata: {},
  }));
}

function positionOf(result: AppendResult): Position {
  if (result.outcome !== 'appended') throw new Error('a conflict');
  return result.position;
}

const placeOf = (message: SubscriptionMessage) =>
  message.kind === 'event' ? message.event.position : message.position;

const eventsOf = (messages: readonly SubscriptionMessage[]) =>
  messages.flatMap((message) => (message.kind === 'event' ? [message.event] : []));

/** What a subscription brings until it has caught up, that included. */
async function taken(
  store: EventStore,
  options: Omit<SubscribeOptions, 'signal'>,
): Promise<SubscriptionMessage[]> {
  const messages: SubscriptionMessage[] = [];
  for await (const message of store.subscribe({ ...options, signal: new AbortController().signal })) {
    messages.push(message);
    if (message.kind === 'caught-up') break;
  }
  return messages;
}
