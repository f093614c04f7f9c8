/** Groups what a subscription brings at once, so that it is handled and stored together. */
import type { RecordedEvent, SubscriptionMessage } from '../ports/event-store.ts';

export type LogBatch =
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[] }
  | Exclude<SubscriptionMessage, { readonly kind: 'event' }>;

/** Reads ahead while a batch is handled. Events that nothing follows yet are given at once. */
export async function* inBatches(
  messages: AsyncIterable<SubscriptionMessage>,
  most: number,
): AsyncGenerator<LogBatch, void> {
  const iterator = messages[Symbol.asyncIterator]();
  try {
    let events: RecordedEvent[] = [];
    let next = iterator.next();
    for (;;) {
      if (events.length > 0 && (events.length >= most || !(await settlesSoon(next)))) {
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
      if (events.length > 0) yield { kind: 'events', events };
      events = [];
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Whether the promise settles within this turn of the event loop: that is, whether more events are waiting. */
async function settlesSoon(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}
