/** Readiness probe. It reports whether the service can do its work, and load balancers route requests by it. */

import { Type } from '@sinclair/typebox';
import { queriesFor, RawAnswer } from '../kernel/runtime/define-query.ts';
import { READINESS, type ReadinessAnswer } from '../views/readiness-view.ts';

export const getReadiness = queriesFor<{ readonly readiness: () => Promise<ReadinessAnswer> }>()({
  name: 'GetReadiness',
  summary: 'Check that the service can work',
  description:
    'All checks with their states. Load balancers route calls to processes that return 200. The checks run at most ten times per second.',
  route: { method: 'GET', url: '/ready', auth: 'none', limit: 'none', answersWhenBusy: true },
  input: {},
  output: Type.Object({
    status: Type.Union(
      READINESS.map((status) => Type.Literal(status)),
      {
        title: 'ReadinessStatus',
        description: '`degraded`: a redundant part fails; calls are answered as usual.',
      },
    ),
    checks: Type.Array(
      Type.Object(
        { name: Type.String(), ok: Type.Boolean() },
        {
          title: 'ReadinessCheck',
          description: 'State of a check, with check-specific figures.',
          additionalProperties: true,
          examples: [{ name: 'store', ok: true }],
        },
      ),
    ),
  }),
  alsoAnswers: { 503: 'A check fails; see `checks`.' },
  rejections: [],
  async answer(_input, { services }) {
    const { status, contentType, body } = await services.readiness();
    return new RawAnswer(body, { 'content-type': contentType, 'cache-control': 'no-store' }, status);
  },
});
