/** The table of metrics, made from the list that is exposed. */
import { createMetrics } from '../operations/metrics/metrics.ts';
import { codeList, markdownTable } from './markdown.ts';

/** Markdown, ending with a line end. */
export function metricsTable(): string {
  return markdownTable(
    ['Metric', 'Kind', 'Labels', 'Meaning'],
    createMetrics({ version: '' })
      .definitions()
      .map(({ name, kind, labels, help }) => [`\`${name}\``, kind, codeList(labels), help]),
  );
}
