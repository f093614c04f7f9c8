/**
 * Publishes the log to the bus: requests the bus's position, publishes from there, and restarts when the connection is
 * lost. The bus gets all outcomes, including outcomes of operators' actions and of hidden tokens, because it belongs to the
 * operator.
 *
 * Two concurrent publishers are harmless: the bus accepts each message once, so no other fence is needed.
 */
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
} from '../../../kernel/ports/event-store.ts';
import type { Logger } from '../../../kernel/ports/logger.ts';
import {
  type Publisher,
  type PublisherCursor,
  type PublisherMessage,
  PublisherRefused,
} from '../../../kernel/ports/publisher.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import { type EventReader, readInOrder } from '../../../kernel/runtime/event-reader.ts';
import { sleep } from '../../../kernel/runtime/sleep.ts';
import { runSubscription } from '../../../kernel/runtime/subscription-runner.ts';
import { cloudEventOf, sourceOfLog } from '../../../outcomes/cloud-event.ts';
import { outcomeOfType } from '../../../outcomes/index.ts';
import { type AboutEvent, createAboutEvent, mayHaveOutcome, outcomeCategories } from '../outcome-events.ts';
import { createPublishingProgress } from './publishing-progress.ts';

interface PublishingOptions {
  readonly store: EventStore;
  readonly reader: Pick<EventReader, 'read' | 'pause'>;
  readonly publisher: Publisher;
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Reports when publishing fails, recovers, or fails permanently. */
  readonly logger: Logger;
  /** Milliseconds between attempts while the bus is unavailable; the last one repeats. */
  readonly retryPauses?: readonly number[];
}

export type Publishing = ReturnType<typeof startPublishing>;

const RETRY_PAUSES = [50, 200, 1_000, 2_000, 5_000];

export function startPublishing(options: PublishingOptions) {
  const { store, reader, publisher, categoryOfType, logger, retryPauses = RETRY_PAUSES } = options;
  const categories = outcomeCategories(categoryOfType);
  const stopping = new AbortController();
  const { signal } = stopping;
  const progress = createPublishingProgress(logger);

  /** Resolves when publishing has ended permanently. */
  async function publish(): Promise<void> {
    const source = await sourceOfLog(store, signal);
    if (source === undefined) throw new Error('the log is empty');
    const resumed = await inThisLog(await publisher.resume(source, signal), { store, categories, signal });
    progress.connected();
    const makeMessage = createMessageMaker(source, createAboutEvent({ store, reader }));
    const end = await publishLog(resumed, { ...options, categories, makeMessage, progress, signal });
    if (end === 'failed') progress.ended();
  }

  async function run(): Promise<void> {
    while (!signal.aborted && progress.status().state !== 'failed') {
      try {
        await publish();
      } catch (problem) {
        if (signal.aborted) break;
        const failures = progress.interrupted(problem);
        await sleep(pauseAfter(failures, retryPauses), signal);
      }
    }
  }

  let search: Promise<string | undefined> | undefined;

  /** Concurrent calls share one read of the log, so that none pile up while the log is slow. */
  function searchUnpublished(after: Position): Promise<string | undefined> {
    search ??= findUnpublished({ store, after, categories, signal }).finally(() => {
      search = undefined;
    });
    return search;
  }

  const running = run();
  return {
    status: progress.status,
    /**
     * Time at which the oldest unpublished outcome was recorded (ISO 8601). Undefined if everything is published, and
     * while the bus's position is unknown. Reads the log.
     */
    async unpublishedSince() {
      const { position } = progress.status();
      return position === undefined ? undefined : searchUnpublished(position);
    },
    /** Resolves when no publishing is in progress and the bus is released. The bus may still store messages that were sent. */
    async stop() {
      stopping.abort();
      await publisher.release();
      await running;
      progress.stopped();
    },
  };
}

/** Random, so that two publishers do not collide repeatedly. */
function pauseAfter(failures: number, pauses: readonly number[]): number {
  const pause = pauses[Math.min(failures, pauses.length) - 1] ?? 0;
  return pause * (0.5 + Math.random() / 2);
}

/** Time at which the first event with an outcome after a position was recorded (ISO 8601); undefined if none exists. */
async function findUnpublished(options: {
  readonly store: EventStore;
  readonly after: Position;
  readonly categories: readonly string[];
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const { store, ...wanted } = options;
  for await (const message of store.subscribe(wanted)) {
    if (message.kind === 'caught-up') return undefined;
    if (message.kind !== 'event') continue;
    const { type, metadata } = message.event;
    if (outcomeOfType(type) !== undefined && typeof metadata.occurredAt === 'string')
      return metadata.occurredAt;
  }
  return undefined;
}

/**
 * Converts the bus's cursor to this log. It contains a position and an event: after the log was moved to another store,
 * the event has another position, and only the event counts. Rejects with `PublisherRefused` if the log does not
 * contain the event.
 */
export async function inThisLog(
  cursor: PublisherCursor,
  {
    store,
    categories,
    signal,
  }: {
    readonly store: Pick<EventStore, 'idAt' | 'subscribe'>;
    /** Categories of the streams whose events have outcomes. */
    readonly categories: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<PublisherCursor> {
  const { position, eventId } = cursor;
  if (eventId === null) return cursor;
  if ((await store.idAt(position)) === eventId) return cursor;
  for await (const message of store.subscribe({ after: START, categories, signal })) {
    if (message.kind === 'event' && message.event.id === eventId)
      return { ...cursor, position: message.event.position };
    if (message.kind === 'caught-up') {
      throw new PublisherRefused(
        `the bus contains the outcome of event ${eventId}, which is missing from this log: the log was restored from an older copy. Set PUBLISHER_STREAM to another stream, or delete the stream to publish everything again`,
      );
    }
  }
  return cursor;
}

/** Returns undefined for an event without an outcome. */
type MakeMessage = (event: Recorded) => Promise<PublisherMessage | undefined>;

/** Converts events to the CloudEvents that subscribers of `GET /events` receive. `source` names the log. */
function createMessageMaker(source: string, aboutEvent: AboutEvent): MakeMessage {
  return async (event) => {
    const outcome = outcomeOfType(event.type);
    if (outcome === undefined) return undefined;
    return {
      id: event.eventId,
      position: event.position,
      name: outcome.name,
      body: JSON.stringify(cloudEventOf(outcome, event, source, await aboutEvent(event))),
    };
  };
}

/**
 * Events per batch. The next batch is prepared while one is in flight, so that a publisher with this many messages in
 * flight never idles.
 */
const BATCH = 256;

/**
 * Publishes from the bus's position on. Resolves when it was aborted or has failed permanently; rejects as soon as the
 * connection to the bus is lost.
 */
async function publishLog(
  { position, alreadyStored, lost }: PublisherCursor,
  options: Pick<PublishingOptions, 'store' | 'publisher' | 'reader'> & {
    readonly categories: readonly string[];
    readonly makeMessage: MakeMessage;
    readonly progress: ReturnType<typeof createPublishingProgress>;
    readonly signal: AbortSignal;
  },
): Promise<'stopped' | 'failed'> {
  const { store, publisher, categories, reader, makeMessage, progress } = options;
  const { reached } = progress;
  const losing = new AbortController();
  let loss: Error | undefined;
  lost.then((error) => {
    loss = error;
    losing.abort();
  });
  let toPassOver = alreadyStored;
  let head = position;
  let isWhole = true;
  /** Never rejects: losses are reported by `lost`. */
  let underWay: Promise<void> = Promise.resolve();
  reached(position);

  async function publish(events: readonly RecordedEvent[]): Promise<void> {
    // A repeated batch starts with events that were already handled.
    const news = events.filter((event) => event.position > head);
    const { recorded, passed, undecodable } = await readInOrder(reader, news, mayHaveOutcome);
    const made = await Promise.all(recorded.map(makeMessage));
    const messages = made.filter((message) => message !== undefined);
    head = passed.at(-1)?.position ?? head;
    const stored = Math.min(toPassOver, messages.length);
    toPassOver -= stored;
    const before = underWay;
    underWay = follow(before, publisher.publish(messages.slice(stored)), head);
    if (undecodable !== undefined) throw undecodable;
    await before;
  }

  async function follow(before: Promise<void>, storing: Promise<void>, end: Position): Promise<void> {
    const stored = await storing.then(
      () => true,
      () => false,
    );
    await before;
    isWhole &&= stored;
    if (isWhole) reached(end);
  }

  const ended = await runSubscription({
    store,
    after: position,
    categories,
    batchSize: BATCH,
    signal: AbortSignal.any([options.signal, losing.signal]),
    handle: publish,
    caughtUp(end) {
      if (end > head) head = end;
      underWay = follow(underWay, Promise.resolve(), head);
      return 'stay';
    },
    failed: progress.failed,
    blocked: progress.blocked,
    pauseWhileBlocked: reader.pause,
  });
  // Waits for the last batch, unless the bus is lost first: a lost bus may never reply.
  if (ended === 'failed') await Promise.race([underWay, lost]);
  if (loss !== undefined) throw loss;
  return ended === 'failed' ? 'failed' : 'stopped';
}
