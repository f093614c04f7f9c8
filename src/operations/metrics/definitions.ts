/** The one list of metrics, from which the exposed metrics and the reference page follow. */
import { counter, gauge } from './definition.ts';
import { distributionMetrics } from './definitions/distributions.ts';
import { httpMetrics } from './definitions/http.ts';
import { storeMetrics } from './definitions/stores.ts';
import { workMetrics } from './definitions/work.ts';

export const metricDefinitions = {
  buildInfo: gauge(
    'levy_build_info',
    ['version', 'node_version'],
    'Always 1; the labels say what is running.',
  ),

  ...httpMetrics,
  ...storeMetrics,
  ...workMetrics,
  ...distributionMetrics,

  scrapeFailures: counter(
    'levy_scrape_failures_total',
    ['part'],
    'Parts that could not be asked when metrics were read, and whose metrics were left out.',
  ),
} as const;
