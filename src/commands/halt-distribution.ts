/**
 * Halts a token's distribution between two transactions; what is halted stays halted for its first reason. Nothing is
 * taken back from the chain, and what was sent may still land.
 */

import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { DistributionHalted, distribution } from '../streams/distribution.ts';
import {
  DistributionParams,
  DistributionStanding,
  distributionIn,
  ReasonBody,
  requireTokenOf,
  standingOf,
} from './distribution-standing.ts';
import { readReason } from './operator-reason.ts';

export const haltDistribution = commandsFor<RuntimeServices>()({
  name: 'HaltDistribution',
  summary: "Halt a token's distribution",
  description:
    'No run of the token is opened, and an open one stops before its next transaction, until the distribution is resumed. What is halted already keeps its code and reason.',
  route: {
    method: 'POST',
    url: '/operator/distributions/:tokenId/halt',
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
  decide({ halted, open }, input, { reason }) {
    if (halted !== undefined) return [];
    const tokenId = distributionIn(input);
    return [DistributionHalted({ tokenId, runId: open?.runId ?? null, code: 'OPERATOR', reason })];
  },
  respond: standingOf,
});
