/** An event store whose appends are counted and timed. */
import type { Registry } from 'prom-client';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { withMethods } from '../../kernel/runtime/around-calls.ts';
import { metricDefinitions } from './definitions.ts';
import { createCounter, createHistogram } from './instruments.ts';

export function createStoreMeasuring(registry: Registry): (store: EventStore) => EventStore {
  const durations = createHistogram(registry, metricDefinitions.appendDuration);
  const events = createCounter(registry, metricDefinitions.eventsAppended);

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
