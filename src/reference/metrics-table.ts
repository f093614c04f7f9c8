/** The list of metrics as a table, and where in a document it stands. */

import { type MetricDefinition, metricDefinitions } from '../operations/metrics/definitions.ts';
import { markdownTable, withSection } from './markdown.ts';

/** Markdown. */
export function metricsTable(): string {
  return markdownTable(
    ['Metric', 'Kind', 'Labels', 'Meaning'],
    Object.values<MetricDefinition>(metricDefinitions).map(({ name, kind, labels, help }) => [
      `\`${name}\``,
      kind,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]),
  );
}

/** The document with its table brought up to date. Throws if the table's markers are not there. */
export function withMetricsTable(markdown: string): string {
  return withSection(markdown, 'metrics', metricsTable());
}
