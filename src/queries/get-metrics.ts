/** What is measured of the service, for the monitoring; with a listener of its own it needs no key. */
import { Type } from '@sinclair/typebox';
import { defineQuery } from '../commands/services.ts';
import { RawAnswer } from '../runtime/define-query.ts';

export const getMetrics = defineQuery({
  name: 'GetMetrics',
  summary: 'Get the metrics',
  description: "Everything that is measured, in Prometheus' text format.",
  route: { method: 'GET', url: '/metrics', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.String(),
  mediaType: 'text/plain',
  headers: ['Cache-Control'],
  rejections: [],
  async answer(_input, { services: { metrics } }) {
    const { contentType, body } = await metrics();
    return new RawAnswer(body, { 'content-type': contentType, 'cache-control': 'no-store' });
  },
});
