/** Requests a run of a token's distribution before it is due. A second request before that run records nothing. */

import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distribution, RunRequested } from '../streams/distribution.ts';
import { DISTRIBUTION_SWITCH, distributionSwitch } from '../streams/distribution-switch.ts';
import { rejection } from '../streams/rejections.ts';
import {
  DistributionParams,
  DistributionStatus,
  distributionIn,
  ReasonBody,
  requireTokenOf,
  statusOf,
} from './distribution-status.ts';
import { readReason } from './operator-reason.ts';

export const requestRun = commandsFor<RuntimeServices>()({
  name: 'RequestRun',
  summary: "Request a run of a token's distribution",
  description:
    'The distributor opens the run as soon as possible. A run that cannot be opened is skipped; `skipped` of the ' +
    'token has the reason. A second request before the run is open records nothing, and `requestReason` does not ' +
    'change.',
  route: { method: 'POST', url: '/operator/distributions/:tokenId/run', auth: 'operator', limit: 'operator' },
  input: { params: DistributionParams, body: ReasonBody },
  output: DistributionStatus,
  rejections: [
    'TOKEN_NOT_FOUND',
    'TOKEN_HIDDEN',
    'DISTRIBUTION_DISABLED',
    'DISTRIBUTION_HALTED',
    'RUN_ALREADY_OPEN',
  ],
  stream: distribution,
  streamId: distributionIn,
  async prepare(input, { services: { executor } }) {
    const reason = readReason(input.body.reason);
    const { settings, hidden } = await requireTokenOf(input, executor);
    const { state: allHalted } = await executor.load(distributionSwitch, DISTRIBUTION_SWITCH);
    return {
      reason,
      isHidden: hidden !== undefined,
      isEnabled: settings.distributionEnabled,
      areAllHalted: allHalted !== undefined,
    };
  },
  decide({ halted, open, requested }, input, { reason, isHidden, isEnabled, areAllHalted }) {
    if (isHidden)
      throw rejection('TOKEN_HIDDEN', 'The token is hidden, so its tax is not distributed; show it first.');
    if (!isEnabled)
      throw rejection('DISTRIBUTION_DISABLED', 'The creator has disabled the distribution of this token.');
    if (areAllHalted)
      throw rejection('DISTRIBUTION_HALTED', 'The distribution of all tokens is halted; resume it first.');
    if (halted !== undefined) {
      const message = `The distribution of this token is halted (${halted.code}); resume it first.`;
      throw rejection('DISTRIBUTION_HALTED', message);
    }
    if (open !== undefined)
      throw rejection(
        'RUN_ALREADY_OPEN',
        `Run ${open.runId} of this token is open; wait until it is closed.`,
      );
    return requested === undefined ? [RunRequested({ tokenId: distributionIn(input), reason })] : [];
  },
  respond: statusOf,
});
