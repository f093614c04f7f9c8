import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';

/** Log whose subscriptions end when it is broken, and resume when it is repaired. */
export function breakableLog() {
  const breaking = new AbortController();
  let isAway = false;
  return {
    of: (store: EventStore) =>
      withMethods(store, {
        async *subscribe(wanted) {
          if (isAway) throw new StoreUnavailable('the log is away');
          const signal = AbortSignal.any([wanted.signal, breaking.signal]);
          yield* store.subscribe({ ...wanted, signal: breaking.signal.aborted ? wanted.signal : signal });
        },
      }),
    break(): void {
      isAway = true;
      breaking.abort();
    },
    mend(): void {
      isAway = false;
    },
  };
}
