/** Groups what a subscription brings at once, so that it is handled and stored together. */
import type { RecordedEvent, SubscriptionMessage } from '../ports/event-store.ts';

export type LogBatch =
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[] }
  | Exclude<SubscriptionMessage, { readonly kind: 'event' }>;

/** Milliseconds that a batch waits for more events while the end of the log is far. */
const LINGER = 50;

/**
 * Reads ahead while a batch is handled. Events that nothing follows yet are delivered at once where the end of the log was
 * reached, so that batches are small there; before that a batch waits a moment for more, and grows.
 */
export async function* inBatches(
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
      // What was not given comes again: nothing says that it was handled.
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

/** Tells whether more events are waiting: within this turn of the event loop, or while the end is far, within a moment. */
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
