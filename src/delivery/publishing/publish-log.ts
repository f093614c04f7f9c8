/** Publishes the log's outcomes from the bus's position on, until it is stopped or cannot continue. */
import type { EventStore, Position, RecordedEvent } from '../../ports/event-store.ts';
import type { Publisher, PublisherCursor, PublisherMessage } from '../../ports/publisher.ts';
import { runSubscription } from '../../runtime/subscription-runner.ts';
import type { ReadMessage } from './read-message.ts';

export interface PublishLogOptions {
  readonly store: EventStore;
  readonly publisher: Pick<Publisher, 'publish'>;
  /** Categories of the streams whose events have outcomes. */
  readonly categories: readonly string[];
  readonly readMessage: ReadMessage;
  readonly signal: AbortSignal;
  /** Everything up to `position` is on the bus. */
  readonly reached: (position: Position) => void;
  /** Called when an event cannot be read or the log cannot be followed; `final` when it gives up. */
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
  const { store, publisher, categories, readMessage, reached } = options;
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
    const { messages, unreadable } = read(events);
    const passed = Math.min(toPassOver, messages.length);
    toPassOver -= passed;
    const before = underWay;
    underWay = follow(before, publisher.publish(messages.slice(passed)), head);
    if (unreadable !== undefined) throw unreadable.error;
    await before;
  }

  /** Reads up to the first event that fails. It comes again with those before it, which are then skipped. */
  function read(events: readonly RecordedEvent[]) {
    const messages: PublisherMessage[] = [];
    for (const event of events.filter(({ position }) => position > head)) {
      try {
        const message = readMessage(event);
        if (message !== undefined) messages.push(message);
      } catch (error) {
        return { messages, unreadable: { error } };
      }
      head = event.position;
    }
    return { messages };
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
  });
  // Waits for the last batch, unless the bus is lost first: it may never answer.
  if (ended === 'failed') await Promise.race([underWay, lost]);
  if (loss !== undefined) throw loss;
  return ended === 'failed' ? 'failed' : 'stopped';
}
