/** Liveness probe: returns 200 while the process runs, independent of its stores and the chain. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';

export const getHealth = queriesFor<object>()({
  name: 'GetHealth',
  summary: 'Check that the process runs',
  description: 'Returns 200 while the process runs. Supervisors restart a process that does not respond.',
  route: { method: 'GET', url: '/health', auth: 'none', limit: 'none', answersWhenBusy: true },
  input: {},
  output: Type.Object({ status: Type.Literal('ok') }),
  rejections: [],
  async answer() {
    return { status: 'ok' as const };
  },
});
