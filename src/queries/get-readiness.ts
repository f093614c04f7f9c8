/** Whether the service can do its work: what a load balancer sends requests by. */
import { Type } from '@sinclair/typebox';
import { RawAnswer } from '../runtime/define-query.ts';
import { defineQuery } from '../services.ts';

export const getReadiness = defineQuery({
  name: 'GetReadiness',
  summary: 'Whether the service can do its work',
  route: { method: 'GET', url: '/ready', auth: 'none', limit: 'none' },
  input: {},
  output: Type.Object({
    status: Type.Union([Type.Literal('ready'), Type.Literal('not ready')]),
    checks: Type.Array(
      Type.Object(
        { name: Type.String(), ok: Type.Boolean() },
        {
          title: 'ReadinessCheck',
          description: 'With figures of its own.',
          additionalProperties: true,
          examples: [{ name: 'store', ok: true }],
        },
      ),
    ),
  }),
  alsoAnswers: { 503: 'Something does not work; `checks` says what.' },
  rejections: [],
  async answer(_input, { services }) {
    const checks = await services.readiness();
    const ready = checks.every(({ ok }) => ok);
    const body = {
      status: ready ? 'ready' : 'not ready',
      checks: checks.map(({ details, ...check }) => ({ ...check, ...details })),
    };
    return new RawAnswer(
      JSON.stringify(body),
      { 'content-type': 'application/json; charset=utf-8' },
      ready ? 200 : 503,
    );
  },
});
