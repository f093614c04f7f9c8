/** Lets a halted distribution go on, also one that a failed check has halted; another records nothing. */

import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { DistributionResumed, distribution } from '../streams/distribution.ts';
import {
  DistributionParams,
  DistributionStanding,
  distributionIn,
  ReasonBody,
  requireTokenOf,
  standingOf,
} from './distribution-standing.ts';
import { readReason } from './operator-reason.ts';

export const resumeDistribution = commandsFor<RuntimeServices>()({
  name: 'ResumeDistribution',
  summary: "Resume a token's distribution",
  description:
    'An open run goes on where it stopped. A check that fails again halts it again. A halt of all tokens stays in force.',
  route: {
    method: 'POST',
    url: '/operator/distributions/:tokenId/resume',
    auth: 'operator',
    limit: 'operator',
  },
  input: { params: DistributionParams, body: ReasonBody },
  output: DistributionStanding,
  rejections: ['TOKEN_NOT_FOUND'],
  stream: distribution,
  streamId: distributionIn,
  async prepare(input, { services }) {
    const reason = readReason(input.body.reason);
    await requireTokenOf(input, services.executor);
    return { reason };
  },
  decide: ({ halted }, input, { reason }) =>
    halted === undefined ? [] : [DistributionResumed({ tokenId: distributionIn(input), reason })],
  respond: standingOf,
});
