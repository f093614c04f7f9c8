/** Runs a handler over the log from a position, batch by batch; retries failures, and finally stops and reports them. */

import { StoreUnavailable } from '../ports/errors.ts';
import type { EventStore, Position, RecordedEvent, SubscriptionMessage } from '../ports/event-store.ts';
import { EventUndecodable } from './event-codec.ts';
import { backoff } from './retry.ts';
import { sleep } from './sleep.ts';

interface SubscriptionOptions {
  readonly store: EventStore;
  readonly after: Position;
  readonly categories?: readonly string[];
  /** Maximum number of events in a batch. */
  readonly batchSize?: number;
  readonly signal: AbortSignal;
  /** Must be atomic: after a rejection, the same batch or a longer one with the same beginning is delivered again. */
  readonly handle: (events: readonly RecordedEvent[]) => Promise<void>;
  /** All events up to `position` were handled. Return `leave` to end the subscription. */
  readonly caughtUp?: (position: Position) => 'stay' | 'leave';
  /** All events up to `position` were handled or did not match; many more follow. */
  readonly passed?: (position: Position) => void;
  /** Called on every failure except undecodable events; `final` if no retry follows. */
  readonly failed?: (error: unknown, final: boolean) => void;
  /**
   * Called once for each event for which handling rejects with `EventUndecodable`. The batch is delivered again at growing
   * intervals until an operator has quarantined the event.
   */
  readonly blocked?: (error: EventUndecodable) => void;
  /** Pauses before a blocked batch is delivered again; resolves early if an event was quarantined. */
  readonly pauseWhileBlocked?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /**
   * Milliseconds before each retry. If handling fails once more than there are pauses, the failure is final. If the log does
   * not respond, or handling rejects with `StoreUnavailable`, retries continue without limit, with the last pause.
   */
  readonly retryPauses?: readonly number[];
  /** True if no retry can help; then the failure is final immediately. */
  readonly isFinal?: (error: unknown) => boolean;
}

const RETRY_PAUSES = [20, 100, 500, 2_000];
/**
 * Milliseconds before each retry at an undecodable event. The last pause repeats, and limits how late another process notices a
 * quarantine by this one.
 */
const BLOCKED_PAUSES = [250, 1_000, 2_500, 5_000, 10_000];

/** Resolves with the reason for the end; never rejects. */
export async function runSubscription(options: SubscriptionOptions): Promise<'stopped' | 'failed' | 'left'> {
  const { store, signal, batchSize = 500, retryPauses = RETRY_PAUSES } = options;
  const { pauseWhileBlocked = sleep } = options;
  let position = options.after;
  const failures = { handling: 0, store: 0 };
  const maxRetries = { handling: retryPauses.length, store: Number.POSITIVE_INFINITY };
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
      const isFinal = options.isFinal?.(error) || count >= maxRetries[failing];
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

/** Milliseconds that a batch waits for more events far from the end of the log. */
const LINGER = 50;

/**
 * Reads ahead while a batch is handled. At the end of the log, events are delivered immediately, so batches are small;
 * before it, a batch waits briefly for more events, and grows.
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
      // Undelivered events do not count as handled, so they are read again.
      if (done) return;
      next = iterator.next();
      // The await above handles a rejection in the next iteration; until then it must not count as unhandled.
      next.catch(() => undefined);
      if (value.kind === 'event') {
        events.push(value.event);
        continue;
      }
      // More events follow, or the end of the log.
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

/** True if more events follow within this event-loop turn, or far from the end, within `LINGER`. */
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
