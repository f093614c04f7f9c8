/** Creates the counters, gauges and histograms from the definitions. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MetricDefinition } from './definition.ts';

export function createCounter<Label extends string>(
  registry: Registry,
  { name, help, labels }: MetricDefinition<'counter', Label>,
): Counter<Label> {
  return new Counter({ name, help, labelNames: labels, registers: [registry] });
}

export function createGauge<Label extends string>(
  registry: Registry,
  { name, help, labels }: MetricDefinition<'gauge', Label>,
): Gauge<Label> {
  return new Gauge({ name, help, labelNames: labels, registers: [registry] });
}

export function createHistogram<Label extends string>(
  registry: Registry,
  { name, help, labels, buckets = [] }: MetricDefinition<'histogram', Label>,
): Histogram<Label> {
  return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] });
}
