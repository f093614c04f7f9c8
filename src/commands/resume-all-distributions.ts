/** Takes back the halt of all distributions. Tokens that are halted by themselves stay halted. */

import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import {
  AllDistributionsResumed,
  DISTRIBUTION_SWITCH,
  distributionSwitch,
} from '../streams/distribution-switch.ts';
import { AllDistributions, allDistributionsAfter } from './all-distributions.ts';
import { ReasonBody } from './distribution-standing.ts';
import { readReason } from './operator-reason.ts';

export const resumeAllDistributions = commandsFor<RuntimeServices>()({
  name: 'ResumeAllDistributions',
  summary: 'Resume the distribution of all tokens',
  description: 'Open runs go on where they stopped. A token that is halted by itself stays halted.',
  route: { method: 'POST', url: '/operator/distributions/resume', auth: 'operator', limit: 'operator' },
  input: { body: ReasonBody },
  output: AllDistributions,
  rejections: [],
  stream: distributionSwitch,
  streamId: () => DISTRIBUTION_SWITCH,
  prepare: async ({ body }) => ({ reason: readReason(body.reason) }),
  decide: (halted, _input, { reason }) => (halted === undefined ? [] : [AllDistributionsResumed({ reason })]),
  respond: allDistributionsAfter,
});
