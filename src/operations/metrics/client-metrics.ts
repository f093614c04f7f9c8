/** Measures the clients of database servers, which report what they do. */
import type { ClientConnections, ClientMeter } from '../../kernel/ports/client-meter.ts';
import type { Instruments } from './instruments.ts';

/** Seconds. */
const BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createClientMeter({ counter, gauge, histogram }: Instruments): ClientMeter {
  const watched = new Set<() => ClientConnections>();
  const connections = gauge(
    'levy_database_connections',
    ['state'],
    'Connections of this process to the database servers of read models, images and ledgers: all that are "open", those "in-use"; and commands that are "waiting" for one. Absent where all of these are in files.',
    () => {
      connections.reset();
      if (watched.size === 0) return;
      const counts = [...watched].map((client) => client());
      const sum = (of: keyof ClientConnections) => counts.reduce((total, count) => total + count[of], 0);
      connections.set({ state: 'open' }, sum('open'));
      connections.set({ state: 'in-use' }, sum('inUse'));
      connections.set({ state: 'waiting' }, sum('waiting'));
    },
  );
  const failures = counter(
    'levy_database_connection_failures_total',
    ['reason'],
    'Commands to these servers that were not sent, because they got no connection: "timeout" waiting for a free one, "connectionError", "poolClosed".',
  );
  const durations = histogram(
    'levy_database_command_duration_seconds',
    ['command', 'outcome'],
    'Commands to these servers, from sending to the answer: "answered", "refused" by the server, "unanswered" where the outcome is unknown.',
    BUCKETS,
  );

  return {
    commanded: (command, outcome, seconds) => durations.observe({ command, outcome }, seconds),
    withoutConnection: (reason) => failures.inc({ reason }),
    watch(client) {
      watched.add(client);
      return () => void watched.delete(client);
    },
  };
}
