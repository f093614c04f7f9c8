/** OpenAPI description of this API, generated from the schemas that validate calls. */

import { Type } from '@sinclair/typebox';
import { queriesFor, type ReadyAnswer } from '../kernel/runtime/define-query.ts';

export const getOpenApiDocument = queriesFor<{ readonly openApi: () => ReadyAnswer }>()({
  name: 'GetOpenApiDocument',
  summary: 'Get the OpenAPI description of this API',
  description: 'An OpenAPI 3.1 document; `/docs` shows it in a browser.',
  route: { method: 'GET', url: '/openapi.json', auth: 'none', limit: 'none', anyOrigin: true },
  input: {},
  output: Type.Object(
    {
      openapi: Type.String(),
      info: Type.Object({ title: Type.String(), version: Type.String() }, { additionalProperties: true }),
    },
    {
      additionalProperties: true,
      examples: [{ openapi: '3.1.0', info: { title: 'Levy', version: '0.1.0' }, paths: {} }],
    },
  ),
  rejections: [],
  async answer(_input, { services: { openApi } }) {
    return openApi();
  },
});
