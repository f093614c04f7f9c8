/** An event store whose appends are counted and timed. */
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { withMethods } from '../../kernel/runtime/around-calls.ts';
import type { Instruments } from './instruments.ts';

/** Seconds. */
const BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function createStoreMeasuring({ counter, histogram }: Instruments): (store: EventStore) => EventStore {
  const durations = histogram(
    'levy_append_duration_seconds',
    ['outcome'],
    'Appends to the event log: "appended" durably, "conflict" where another writer came first, "failed" where the outcome is unknown.',
    BUCKETS,
  );
  const events = counter('levy_events_appended_total', ['type'], 'Events recorded by this process, by type.');

  return (store) =>
    withMethods(store, {
      async append(stream, expected, appended) {
        const started = performance.now();
        let outcome: 'appended' | 'conflict' | 'failed' = 'failed';
        try {
          const result = await store.append(stream, expected, appended);
          outcome = result.outcome;
          return result;
        } finally {
          durations.observe({ outcome }, (performance.now() - started) / 1000);
          if (outcome === 'appended') for (const { type } of appended) events.inc({ type });
        }
      },
    });
}
