/** Reports that the process runs, whatever else may be wrong; supervisors use it to decide on a restart. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';

export const getHealth = queriesFor<object>()({
  name: 'GetHealth',
  summary: 'Check that the process runs',
  description: 'Answers 200 as long as the process runs: supervisors restart it if there is no answer.',
  route: { method: 'GET', url: '/health', auth: 'none', limit: 'none', answersWhenBusy: true },
  input: {},
  output: Type.Object({ status: Type.Literal('ok') }),
  rejections: [],
  async answer() {
    return { status: 'ok' as const };
  },
});
