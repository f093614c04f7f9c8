/** What a metric is, and how the lists of them are written. */

export type MetricKind = 'counter' | 'gauge' | 'histogram';

export interface MetricDefinition<Kind extends MetricKind = MetricKind, Label extends string = string> {
  readonly kind: Kind;
  readonly name: string;
  readonly labels: readonly Label[];
  readonly help: string;
  /** A histogram's upper bounds. */
  readonly buckets?: readonly number[];
}

/** A gauge that is read from the service's state whenever metrics are asked for. */
export interface StateGaugeDefinition<Label extends string = string>
  extends MetricDefinition<'gauge', Label> {
  readonly ofState: true;
}

export function counter<const Label extends string = never>(
  name: string,
  labels: readonly Label[],
  help: string,
): MetricDefinition<'counter', Label> {
  return { kind: 'counter', name, labels, help };
}

export function gauge<const Label extends string = never>(
  name: string,
  labels: readonly Label[],
  help: string,
): MetricDefinition<'gauge', Label> {
  return { kind: 'gauge', name, labels, help };
}

export function stateGauge<const Label extends string = never>(
  name: string,
  labels: readonly Label[],
  help: string,
): StateGaugeDefinition<Label> {
  return { ...gauge(name, labels, help), ofState: true };
}

export function histogram<const Label extends string = never>(
  name: string,
  labels: readonly Label[],
  help: string,
  buckets: readonly number[],
): MetricDefinition<'histogram', Label> {
  return { kind: 'histogram', name, labels, help, buckets };
}
