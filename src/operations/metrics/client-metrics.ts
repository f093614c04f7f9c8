/** What clients of database servers report, as metrics. */
import type { Registry } from 'prom-client';
import type { ClientConnections, ClientMeter } from '../../kernel/ports/client-meter.ts';
import { metricDefinitions } from './definitions.ts';
import { createCounter, createGauge, createHistogram } from './instruments.ts';

export interface ClientMetrics {
  readonly meter: ClientMeter;
  /** Counts connections; to be called before the registry is read. */
  flush(): void;
}

export function createClientMetrics(registry: Registry): ClientMetrics {
  const connections = createGauge(registry, metricDefinitions.databaseConnections);
  const failures = createCounter(registry, metricDefinitions.databaseWithoutConnection);
  const durations = createHistogram(registry, metricDefinitions.databaseCommandDuration);
  const watched = new Set<() => ClientConnections>();

  return {
    meter: {
      commanded: (command, outcome, seconds) => durations.observe({ command, outcome }, seconds),
      withoutConnection: (reason) => failures.inc({ reason }),
      watch(client) {
        watched.add(client);
        return () => void watched.delete(client);
      },
    },
    flush() {
      connections.reset();
      if (watched.size === 0) return;
      const counts = [...watched].map((client) => client());
      const sum = (of: keyof ClientConnections) => counts.reduce((total, count) => total + count[of], 0);
      connections.set({ state: 'open' }, sum('open'));
      connections.set({ state: 'in-use' }, sum('inUse'));
      connections.set({ state: 'waiting' }, sum('waiting'));
    },
  };
}
