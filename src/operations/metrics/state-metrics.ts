/**
 * Metrics that are read from the service's state whenever they are asked for. Each is declared beside the look that it is read
 * from, so that one look serves several.
 */
import pTimeout from 'p-timeout';
import type { Counter } from 'prom-client';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { Instruments } from './instruments.ts';
import type { MeasuredState } from './measured-state.ts';

/** A look that takes longer leaves its metrics out of this reading. Milliseconds. */
const PATIENCE = 2_000;

/** The labels' values in their declared order; a string where there is one label. */
type Sample = readonly [labels: string | readonly string[], value: number];

/** Absent while undefined. */
type Reading = number | readonly Sample[] | undefined;

interface Declared {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
}

interface StateMetric<Found> extends Declared {
  readonly read: (found: Found, state: MeasuredState) => Reading;
}

/** One look at the state, and the metrics that are read from it. */
export interface StatePart {
  readonly name: string;
  readonly metrics: readonly Declared[];
  /** One reading for each metric; none where the process lacks the part. */
  read(state: MeasuredState): Promise<readonly Reading[]>;
}

/** `look` gives undefined where the process lacks the part, because its roles do not need it. */
export function part<Found>(
  name: string,
  look: (state: MeasuredState) => Found | undefined | Promise<Found | undefined>,
): (...metrics: readonly StateMetric<Found>[]) => StatePart {
  return (...metrics) => ({
    name,
    metrics,
    async read(state) {
      const found = await look(state);
      return found === undefined ? [] : metrics.map(({ read }) => read(found, state));
    },
  });
}

export function gauge<Found>(
  name: string,
  labels: readonly string[],
  help: string,
  read: StateMetric<Found>['read'],
): StateMetric<Found> {
  return { kind: 'gauge', name, labels, help, read };
}

/** A counter whose value is kept elsewhere. */
export function total<Found>(
  name: string,
  labels: readonly string[],
  help: string,
  read: StateMetric<Found>['read'],
): StateMetric<Found> {
  return { kind: 'counter', name, labels, help, read };
}

/** Returns a function that reads all parts and writes their metrics; it never rejects. */
export function createStateMetrics(
  instruments: Instruments,
  parts: readonly StatePart[],
): (state: MeasuredState) => Promise<void> {
  const failures = instruments.counter(
    'levy_scrape_failures_total',
    ['part'],
    'Parts that could not be asked when metrics were read, and whose metrics were left out.',
  );
  const created = parts.map((declared) => ({
    declared,
    writers: declared.metrics.map(({ kind, name, labels, help }) =>
      kind === 'gauge'
        ? createWriter(labels, instruments.gauge<string>(name, labels, help), 'set')
        : createWriter(labels, instruments.counter<string>(name, labels, help), 'inc'),
    ),
  }));

  return async (state) => {
    const looks = created.map(async ({ declared, writers }) => {
      let readings: readonly Reading[] = [];
      try {
        readings = await pTimeout(declared.read(state), { milliseconds: PATIENCE });
      } catch {
        failures.inc({ part: declared.name });
      }
      // A failed look leaves its metrics absent rather than stale.
      for (const [index, write] of writers.entries()) write(readings[index]);
    });
    await Promise.all(looks);
  };
}

function createWriter<Write extends string>(
  labels: readonly string[],
  metric: Pick<Counter<string>, 'reset' | 'remove'> & {
    readonly [write in Write]: (labels: Record<string, string>, value: number) => void;
  },
  write: Write,
): (reading: Reading) => void {
  return (reading) => {
    metric.reset();
    // `reset` sets 0 where there are no labels.
    metric.remove({});
    if (typeof reading === 'number') metric[write]({}, reading);
    if (typeof reading !== 'object') return;
    for (const [values, value] of reading) {
      const named = [values].flat();
      metric[write](Object.fromEntries(labels.map((label, index) => [label, named[index] ?? ''])), value);
    }
  };
}

/** Seconds since then; 0 while it is undefined. */
export function ageOf(timestamp: string | undefined, clock: Clock): number {
  return timestamp === undefined ? 0 : Math.max(0, clock.now().getTime() - Date.parse(timestamp)) / 1000;
}
