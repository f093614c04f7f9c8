/**
 * Halts a token's distribution between two transactions, and resumes it. A halted distribution retains its first
 * reason; a halt by a failed check can be resumed too. Nothing on the chain is reverted, and transactions already sent
 * may still land.
 */
import type { Static } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { DistributionHalted, DistributionResumed, distribution } from '../streams/distribution.ts';
import {
  DistributionParams,
  DistributionStatus,
  distributionIn,
  ReasonBody,
  requireTokenOf,
  statusOf,
} from './distribution-status.ts';
import { readReason } from './operator-reason.ts';

interface SwitchInput {
  readonly params: Static<typeof DistributionParams>;
  readonly body: Static<typeof ReasonBody>;
}

const haltSwitch = {
  input: { params: DistributionParams, body: ReasonBody },
  output: DistributionStatus,
  rejections: ['TOKEN_NOT_FOUND'],
  stream: distribution,
  streamId: distributionIn,
  async prepare(input: SwitchInput, { services }: { readonly services: RuntimeServices }) {
    const reason = readReason(input.body.reason);
    await requireTokenOf(input, services.executor);
    return { reason };
  },
  respond: statusOf,
};

export const haltDistribution = commandsFor<RuntimeServices>()({
  ...haltSwitch,
  name: 'HaltDistribution',
  summary: "Halt a token's distribution",
  description:
    'Until the distribution is resumed, no run of the token is opened, and an open run stops before its next transaction. If it is already halted, its code and reason do not change.',
  route: {
    method: 'POST',
    url: '/operator/distributions/:tokenId/halt',
    auth: 'operator',
    limit: 'operator',
  },
  decide({ halted, open }, input, { reason }) {
    if (halted !== undefined) return [];
    const tokenId = distributionIn(input);
    return [DistributionHalted({ tokenId, runId: open?.runId ?? null, code: 'OPERATOR', reason })];
  },
});

export const resumeDistribution = commandsFor<RuntimeServices>()({
  ...haltSwitch,
  name: 'ResumeDistribution',
  summary: "Resume a token's distribution",
  description:
    'An open run continues where it stopped. A check that fails again halts it again. A halt of all tokens is not lifted.',
  route: {
    method: 'POST',
    url: '/operator/distributions/:tokenId/resume',
    auth: 'operator',
    limit: 'operator',
  },
  decide: ({ halted }, input, { reason }) =>
    halted === undefined ? [] : [DistributionResumed({ tokenId: distributionIn(input), reason })],
});
