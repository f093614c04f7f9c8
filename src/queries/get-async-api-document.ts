/** AsyncAPI description of the outcomes, generated from the table that publishes them. */

import { Type } from '@sinclair/typebox';
import { queriesFor, type ReadyAnswer } from '../kernel/runtime/define-query.ts';

export const getAsyncApiDocument = queriesFor<{ readonly asyncApi: () => ReadyAnswer }>()({
  name: 'GetAsyncApiDocument',
  summary: 'Get the AsyncAPI description of the events',
  description: 'An AsyncAPI 3.0 document of `GET /events`.',
  route: { method: 'GET', url: '/asyncapi.json', auth: 'none', limit: 'none', anyOrigin: true },
  input: {},
  output: Type.Object(
    {
      asyncapi: Type.String(),
      info: Type.Object({ title: Type.String(), version: Type.String() }, { additionalProperties: true }),
    },
    {
      additionalProperties: true,
      examples: [{ asyncapi: '3.0.0', info: { title: 'Levy events', version: '0.1.0' }, channels: {} }],
    },
  ),
  rejections: [],
  async answer(_input, { services: { asyncApi } }) {
    return asyncApi();
  },
});
