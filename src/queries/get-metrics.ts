/** Returns the service's metrics for monitoring. A separate listener serves them without a key. */

import { Type } from '@sinclair/typebox';
import { queriesFor, RawAnswer } from '../kernel/runtime/define-query.ts';

/** Metrics as text in the format of the content type. */
interface MetricsServices {
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>;
}

export const getMetrics = queriesFor<MetricsServices>()({
  name: 'GetMetrics',
  summary: 'Get the metrics',
  description: "All metrics, in Prometheus' text format.",
  route: { method: 'GET', url: '/metrics', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.String(),
  mediaType: 'text/plain',
  rejections: [],
  async answer(_input, { services: { metrics } }) {
    const { contentType, body } = await metrics();
    return new RawAnswer(body, { 'content-type': contentType, 'cache-control': 'no-store' });
  },
});
