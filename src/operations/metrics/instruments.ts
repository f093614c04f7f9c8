/** Creates the metrics of one service in its own registry, and lists their definitions. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

export type Instruments = ReturnType<typeof createInstruments>;

export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  const created: MetricDefinition[] = [];

  return {
    registry,
    /** Definitions sorted by name. */
    definitions: (): readonly MetricDefinition[] =>
      created.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    /** `collect` is called before the metric is read. */
    counter<const Label extends string = never>(
      name: string,
      labelNames: readonly Label[],
      help: string,
      collect?: () => void,
    ) {
      created.push({ kind: 'counter', name, labels: labelNames, help });
      return new Counter<Label>({ name, help, labelNames, registers, ...(collect && { collect }) });
    },
    gauge<const Label extends string = never>(
      name: string,
      labelNames: readonly Label[],
      help: string,
      collect?: () => void,
    ) {
      created.push({ kind: 'gauge', name, labels: labelNames, help });
      return new Gauge<Label>({ name, help, labelNames, registers, ...(collect && { collect }) });
    },
    /** `buckets` in seconds. */
    histogram<const Label extends string = never>(
      name: string,
      labelNames: readonly Label[],
      help: string,
      buckets: readonly number[],
    ) {
      created.push({ kind: 'histogram', name, labels: labelNames, help, buckets });
      return new Histogram<Label>({ name, help, labelNames, buckets: [...buckets], registers });
    },
  };
}
