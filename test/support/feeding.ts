// The event feed over a real log and its read model, and subscribers whose pace the test decides.
import { onTestFinished } from 'vitest';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../src/kernel/ports/logger.ts';
import type { StreamSink } from '../../src/kernel/runtime/define-query.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { hiddenTokens } from '../../src/projections/hidden-tokens.ts';
import {
  createEventFeed,
  type EventFeed,
  type EventFeedOptions,
} from '../../src/server/delivery/feed/event-feed.ts';
import { type Follower, selectionOf } from '../../src/server/delivery/feed/selection.ts';
import { categoryOfType, type LevyEvent, streams } from '../../src/streams/index.ts';
import { TokenCreated } from '../../src/streams/token.ts';
import { tokenCreated } from './domain-examples.ts';
import { type Block, type CloudEvent, createBlockReader } from './event-stream.ts';
import { openProjecting, type Projecting, untilAllLive } from './projecting.ts';

const codec = createEventCodec(streams);

export interface Subscription {
  readonly sink: TestSink;
  /** Received events in order, without checkpoints. */
  readonly events: readonly CloudEvent[];
  readonly checkpoints: readonly CloudEvent[];
  readonly comments: number;
  readonly ended: boolean;
  /** Position with which the client would reconnect. */
  readonly lastEventId: string | undefined;
}

interface Wish {
  readonly after?: string | undefined;
  readonly types?: string;
  readonly audience?: Follower['audience'];
  /** Received items wait until the test takes them. */
  readonly isSlow?: boolean;
}

export interface Feeding {
  readonly projecting: Projecting;
  readonly store: EventStore;
  readonly feed: EventFeed;
  readonly reports: readonly string[];
  /** Resolves with the position. Each in a stream of its own. */
  record(event: LevyEvent): Promise<string>;
  subscribe(wish?: Wish): Promise<Subscription>;
  /** Another process' feed of the same log. */
  another(options?: FeedSettings): Feeding;
}

type FeedSettings = Partial<EventFeedOptions>;

export async function openFeeding(
  settings: FeedSettings & {
    readonly decorate?: (store: EventStore) => EventStore;
  } = {},
): Promise<Feeding> {
  const { decorate = (store) => store, ...own } = settings;
  const projecting = openProjecting({ isAwaited: true, projections: [hiddenTokens] });
  await projecting.projector.start();
  await untilAllLive(projecting);
  // Like every log of the service, it has events before the first subscription.
  await record(projecting.store, tokenCreated);
  return feedingOf(projecting, decorate(projecting.store), own);
}

function feedingOf(projecting: Projecting, store: EventStore, settings: FeedSettings): Feeding {
  const reports: string[] = [];
  const feed = createEventFeed({
    store,
    readModel: projecting.readModel,
    reader: projecting.reader,
    categoryOfType,
    heartbeat: 3_600_000,
    bufferBytes: 1_048_576,
    logger: loggerTo((message, details) => reports.push(`${message}: ${JSON.stringify(details)}`)),
    ...settings,
  });
  onTestFinished(() => feed.close());
  return {
    projecting,
    store,
    feed,
    reports,
    record: (event) => record(projecting.store, event),
    async subscribe({ after, types, audience = 'public', isSlow = false } = {}) {
      const start = await feed.startAt(after);
      const sink = createTestSink(isSlow);
      feed.subscribe(sink, selectionOf({ types }, { audience }), start, 'network');
      return subscriptionOf(sink);
    },
    another: (options) => feedingOf(projecting, store, { ...settings, ...options }),
  };
}

export async function record(store: EventStore, event: LevyEvent): Promise<string> {
  const category = categoryOfType.get(event.type) ?? '';
  const encoded = codec.encode(category, randomId(), event, {
    commandId: randomId(),
    inputHash: '',
    correlationId: 'example',
    causationId: 'example',
    actor: 'anonymous',
    occurredAt: '2026-05-04T10:00:00.000Z',
  });
  const result = await store.append(`${category}-${randomId()}`, 'none', [encoded]);
  if (result.outcome !== 'appended') throw new Error('a new stream has nobody to conflict with');
  return result.position;
}

/** The creation of a token of its own. */
export function someToken(tokenId = randomId(), name = 'Some token') {
  return TokenCreated({ ...tokenCreated.data, token: { ...tokenCreated.data.token, tokenId, name } });
}

interface TestSink extends StreamSink {
  readonly received: readonly Buffer[];
  readonly ended: boolean;
  /** How it was ended. */
  readonly ending: 'end' | 'cut' | undefined;
  /** The network takes so many of the writes that wait; all unless given. */
  take(writes?: number): void;
}

function createTestSink(isSlow: boolean): TestSink {
  const received: Buffer[] = [];
  const waitingWrites: Buffer[] = [];
  const listeners: (() => void)[] = [];
  let drains: (() => void)[] = [];
  let ending: TestSink['ending'];

  function settle(): void {
    for (const drain of drains.splice(0)) drain();
  }
  function finish(how: 'end' | 'cut'): void {
    if (ending !== undefined) return;
    ending = how;
    settle();
    for (const listener of listeners) listener();
  }
  const sink: TestSink = {
    received,
    get ended() {
      return ending !== undefined;
    },
    get ending() {
      return ending;
    },
    get waiting() {
      return waitingWrites.reduce((sum, { length }) => sum + length, 0);
    },
    write(bytes) {
      if (ending !== undefined) return;
      waitingWrites.push(Buffer.from(bytes));
      if (!isSlow) sink.take();
    },
    drained() {
      if (ending !== undefined || waitingWrites.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        drains = [...drains, resolve];
      });
    },
    end: () => finish('end'),
    cut: () => finish('cut'),
    onEnd(listener) {
      if (ending === undefined) listeners.push(listener);
      else listener();
    },
    take(writes = waitingWrites.length) {
      received.push(...waitingWrites.splice(0, writes));
      if (waitingWrites.length === 0) settle();
    },
  };
  return sink;
}

function subscriptionOf(sink: TestSink): Subscription {
  const read = createBlockReader();
  const all: CloudEvent[] = [];
  const events: CloudEvent[] = [];
  const checkpoints: CloudEvent[] = [];
  let comments = 0;
  let looked = 0;
  /** Tests ask on every turn of the event loop, so each block is sorted once. */
  const received = () => {
    for (const bytes of sink.received.slice(looked)) {
      looked += 1;
      for (const block of read(bytes)) add(block);
    }
  };
  const add = ({ comment, data }: Block) => {
    if (comment) comments += 1;
    if (data === undefined) return;
    const event: CloudEvent = JSON.parse(data);
    all.push(event);
    (event.type === 'levy.checkpoint' ? checkpoints : events).push(event);
  };
  return {
    sink,
    get events() {
      received();
      return events;
    },
    get checkpoints() {
      received();
      return checkpoints;
    },
    get comments() {
      received();
      return comments;
    },
    get ended() {
      return sink.ended;
    },
    get lastEventId() {
      received();
      return all.at(-1)?.position;
    },
  };
}
