/** Creates the metrics of one service in a registry of its own, and remembers how each is described. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** A histogram's upper bounds. */
  readonly buckets?: readonly number[];
}

export interface Instruments {
  readonly registry: Registry;
  /** Sorted by name. */
  definitions(): readonly MetricDefinition[];
  /** `collect` is called before the metric is read. */
  counter<const Label extends string = never>(
    name: string,
    labels: readonly Label[],
    help: string,
    collect?: () => void,
  ): Counter<Label>;
  gauge<const Label extends string = never>(
    name: string,
    labels: readonly Label[],
    help: string,
    collect?: () => void,
  ): Gauge<Label>;
  /** `buckets` in seconds. */
  histogram<const Label extends string = never>(
    name: string,
    labels: readonly Label[],
    help: string,
    buckets: readonly number[],
  ): Histogram<Label>;
}

export function createInstruments(): Instruments {
  const registry = new Registry();
  const created: MetricDefinition[] = [];
  const registers = [registry];

  return {
    registry,
    definitions: () => created.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    counter(name, labels, help, collect) {
      created.push({ kind: 'counter', name, labels, help });
      return new Counter({ name, help, labelNames: labels, registers, ...(collect && { collect }) });
    },
    gauge(name, labels, help, collect) {
      created.push({ kind: 'gauge', name, labels, help });
      return new Gauge({ name, help, labelNames: labels, registers, ...(collect && { collect }) });
    },
    histogram(name, labels, help, buckets) {
      created.push({ kind: 'histogram', name, labels, help, buckets });
      return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
    },
  };
}
