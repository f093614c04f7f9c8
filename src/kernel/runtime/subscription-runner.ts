/** Runs a handler over the log from a position, batch by batch; retries failures, then stops and reports it. */

import { StoreUnavailable } from '../ports/errors.ts';
import type { EventStore, Position, RecordedEvent, SubscriptionMessage } from '../ports/event-store.ts';
import { EventUndecodable } from './event-codec.ts';
import { backoff } from './retry.ts';
import { sleep } from './sleep.ts';

interface SubscriptionOptions {
  readonly store: EventStore;
  readonly after: Position;
  readonly categories?: readonly string[];
  /** The most events in a batch. */
  readonly batchSize?: number;
  readonly signal: AbortSignal;
  /** Must leave nothing half done when it rejects: the same batch, or a longer one that begins with it, comes again. */
  readonly handle: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Everything up to `position` was handled. Return `leave` to end the subscription there. */
  readonly caughtUp?: (position: Position) => 'stay' | 'leave';
  /** Everything up to `position` was handled or did not match, and the end is still far. */
  readonly passed?: (position: Position) => void;
  /** Called on every failure; `final` if it gives up. Not called for an event that cannot be decoded. */
  readonly failed?: (error: unknown, final: boolean) => void;
  /**
   * Called when handling rejects with `EventUndecodable`, once for each such event. The events from the batch's first on
   * come again, ever more rarely, until an operator has quarantined that one.
   */
  readonly blocked?: (error: EventUndecodable) => void;
  /** Waits before a blocked batch comes again, until the time is over or something was quarantined. */
  readonly pauseWhileBlocked?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /**
   * Pauses before the retries, in milliseconds. When handling fails once more than there are pauses, that failure is
   * final. A store that does not answer is retried without end, with the last pause: the log, and what handling uses, if
   * it rejects with `StoreUnavailable`.
   */
  readonly retryPauses?: readonly number[];
  /** True if no retry can help: the failure is final immediately. */
  readonly isFinal?: (error: unknown) => boolean;
}

const RETRY_PAUSES = [20, 100, 500, 2_000];
/** The last one repeats: so long another process may take to see what was quarantined in this one. */
const BLOCKED_PAUSES = [250, 1_000, 2_500, 5_000, 10_000];

/** Resolves with how it ended; never rejects. */
export async function runSubscription(options: SubscriptionOptions): Promise<'stopped' | 'failed' | 'left'> {
  const { store, signal, batchSize = 500, retryPauses = RETRY_PAUSES } = options;
  const { pauseWhileBlocked = sleep } = options;
  let position = options.after;
  const failures = { handling: 0, store: 0 };
  const mostRetries = { handling: retryPauses.length, store: Number.POSITIVE_INFINITY };
  let failing: keyof typeof failures = 'store';
  let blocking: { readonly position: Position; times: number } | undefined;
  while (!signal.aborted) {
    failing = 'store';
    try {
      const end = await consume();
      if (end === 'left') return 'left';
      if (!signal.aborted) throw new Error('the event store ended the subscription');
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof EventUndecodable) {
        await pauseWhileBlocked(pauseAt(error), signal);
        continue;
      }
      if (error instanceof StoreUnavailable) failing = 'store';
      const count = failures[failing];
      const isFinal = options.isFinal?.(error) || count >= mostRetries[failing];
      failures[failing] += 1;
      options.failed?.(error, isFinal);
      if (isFinal) return 'failed';
      await sleep(backoff(retryPauses, count), signal);
    }
  }
  return 'stopped';

  function pauseAt(error: EventUndecodable): number {
    if (blocking?.position !== error.event.position) {
      blocking = { position: error.event.position, times: 0 };
      options.blocked?.(error);
    }
    blocking.times += 1;
    return backoff(BLOCKED_PAUSES, blocking.times - 1);
  }

  async function consume(): Promise<'ended' | 'left'> {
    const { categories } = options;
    const subscription = store.subscribe({ after: position, signal, categories });
    for await (const batch of inBatches(subscription, batchSize)) {
      if (batch.kind === 'events') {
        await handleBatch(batch.events);
        continue;
      }
      if (batch.position > position) position = batch.position;
      if (batch.kind === 'checkpoint') options.passed?.(position);
      else if (options.caughtUp?.(position) === 'leave') return 'left';
    }
    return 'ended';
  }

  async function handleBatch(events: readonly RecordedEvent[]): Promise<void> {
    failing = 'handling';
    await options.handle(events);
    failing = 'store';
    position = events.at(-1)?.position ?? position;
    failures.handling = 0;
    failures.store = 0;
    blocking = undefined;
  }
}

type LogBatch =
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[] }
  | Exclude<SubscriptionMessage, { readonly kind: 'event' }>;

/** Milliseconds that a batch waits for more events while the end of the log is far. */
const LINGER = 50;

/**
 * Reads ahead while a batch is handled. Events that nothing follows yet are delivered at once where the end of the log was
 * reached, so that batches are small there; before that a batch waits a moment for more, and grows.
 */
async function* inBatches(
  messages: AsyncIterable<SubscriptionMessage>,
  most: number,
): AsyncGenerator<LogBatch, void> {
  const iterator = messages[Symbol.asyncIterator]();
  try {
    let events: RecordedEvent[] = [];
    let isBehind = true;
    let next = iterator.next();
    for (;;) {
      if (events.length > 0 && (events.length >= most || !(await settlesSoon(next, isBehind)))) {
        yield { kind: 'events', events };
        events = [];
      }
      const { done, value } = await next;
      // Events that were not delivered are read again: they do not count as handled.
      if (done) return;
      next = iterator.next();
      // The await above handles a rejection in the next round; until then it must not count as unhandled.
      next.catch(() => undefined);
      if (value.kind === 'event') {
        events.push(value.event);
        continue;
      }
      // The batch ends further on, or at the end of the log.
      if (value.kind === 'checkpoint' && events.length > 0) continue;
      if (events.length > 0) yield { kind: 'events', events };
      events = [];
      isBehind = value.kind === 'checkpoint';
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** True if more events follow: within this turn of the event loop, or while the end is far, within `LINGER`. */
async function settlesSoon(promise: Promise<unknown>, isBehind: boolean): Promise<boolean> {
  let stop = () => {};
  const over = new Promise<boolean>((resolve) => {
    const end = () => resolve(false);
    const timer = isBehind ? setTimeout(end, LINGER) : setImmediate(end);
    stop = () => clearTimeout(timer as NodeJS.Timeout);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, over]).finally(stop);
}
