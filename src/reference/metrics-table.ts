/** The table of metrics, made from the list that is exposed. */
import type { MetricDefinition } from '../operations/metrics/definition.ts';
import { metricDefinitions } from '../operations/metrics/definitions.ts';
import { codeList, markdownTable } from './markdown.ts';

/** Markdown, ending with a line end. */
export function metricsTable(): string {
  return markdownTable(
    ['Metric', 'Kind', 'Labels', 'Meaning'],
    Object.values<MetricDefinition>(metricDefinitions).map(({ name, kind, labels, help }) => [
      `\`${name}\``,
      kind,
      codeList(labels),
      help,
    ]),
  );
}
