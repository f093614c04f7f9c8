/** Publishes the log's outcomes from the bus's position on, until it is stopped or cannot continue. */
import type { EventStore, Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';
import type { Publisher, PublisherCursor } from '../../../kernel/ports/publisher.ts';
import type { EventUndecodable } from '../../../kernel/runtime/event-codec.ts';
import { type EventReader, readInOrder } from '../../../kernel/runtime/event-reader.ts';
import { runSubscription } from '../../../kernel/runtime/subscription-runner.ts';
import { mayHaveOutcome } from '../outcome-event.ts';
import type { MakeMessage } from './make-message.ts';

export interface PublishLogOptions {
  readonly store: EventStore;
  readonly publisher: Pick<Publisher, 'publish'>;
  /** Categories of the streams whose events have outcomes. */
  readonly categories: readonly string[];
  readonly reader: Pick<EventReader, 'read' | 'mayBecome' | 'pause'>;
  readonly makeMessage: MakeMessage;
  readonly signal: AbortSignal;
  /** Everything up to `position` is on the bus. */
  readonly reached: (position: Position) => void;
  /** An event cannot be decoded: nothing behind it is published until it is quarantined. */
  readonly blocked: (error: EventUndecodable) => void;
  /** Called when the log cannot be followed; `final` when it gives up. */
  readonly failed: (error: unknown, final: boolean) => void;
}

/**
 * Events per batch. While one batch is in flight, the next is prepared, so that a publisher with this many in flight always
 * has something to send.
 */
const BATCH = 256;

/** Resolves when it was aborted or has failed for good; rejects as soon as the connection to the bus is lost. */
export async function publishLog(
  { position, alreadyStored, lost }: PublisherCursor,
  options: PublishLogOptions,
): Promise<'stopped' | 'failed'> {
  const { store, publisher, categories, reader, makeMessage, reached } = options;
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
    // A batch that comes again begins with events that were handled before.
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
    failed: options.failed,
    blocked: options.blocked,
    pauseWhileBlocked: reader.pause,
  });
  // Waits for the last batch, unless the bus is lost first: it may never answer.
  if (ended === 'failed') await Promise.race([underWay, lost]);
  if (loss !== undefined) throw loss;
  return ended === 'failed' ? 'failed' : 'stopped';
}
