/** Halts the distribution of all tokens between two transactions; what is halted stays halted for its first reason. */

import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import {
  AllDistributionsHalted,
  DISTRIBUTION_SWITCH,
  distributionSwitch,
} from '../streams/distribution-switch.ts';
import { AllDistributions, allDistributionsAfter } from './all-distributions.ts';
import { ReasonBody } from './distribution-standing.ts';
import { readReason } from './operator-reason.ts';

export const haltAllDistributions = commandsFor<RuntimeServices>()({
  name: 'HaltAllDistributions',
  summary: 'Halt the distribution of all tokens',
  description:
    'No run is opened, and open ones stop before their next transaction, until all are resumed. New tokens are halted with them.',
  route: { method: 'POST', url: '/operator/distributions/halt', auth: 'operator', limit: 'operator' },
  input: { body: ReasonBody },
  output: AllDistributions,
  rejections: [],
  stream: distributionSwitch,
  streamId: () => DISTRIBUTION_SWITCH,
  prepare: async ({ body }) => ({ reason: readReason(body.reason) }),
  decide: (halted, _input, { reason }) => (halted === undefined ? [AllDistributionsHalted({ reason })] : []),
  respond: allDistributionsAfter,
});
