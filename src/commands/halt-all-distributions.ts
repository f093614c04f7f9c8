/**
 * Halts the distribution of all tokens between two transactions, and resumes it. A halt retains its first reason;
 * tokens that are halted individually stay halted.
 */

import { type Static, Type } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import {
  AllDistributionsHalted,
  AllDistributionsResumed,
  DISTRIBUTION_SWITCH,
  type DistributionSwitchState,
  distributionSwitch,
} from '../streams/distribution-switch.ts';
import { orNull } from '../streams/value-types.ts';
import { ReasonBody } from './distribution-status.ts';
import { readReason } from './operator-reason.ts';

const AllDistributions = Type.Object(
  { halted: orNull(Type.Object({ reason: Type.String() })) },
  { title: 'AllDistributions', examples: [{ halted: { reason: 'The node and its witness disagree.' } }] },
);

const haltSwitch = {
  input: { body: ReasonBody },
  output: AllDistributions,
  rejections: [],
  stream: distributionSwitch,
  streamId: () => DISTRIBUTION_SWITCH,
  prepare: async ({ body }: { readonly body: Static<typeof ReasonBody> }) => ({
    reason: readReason(body.reason),
  }),
  respond: (state: DistributionSwitchState) => ({ halted: state ?? null }),
};

export const haltAllDistributions = commandsFor<RuntimeServices>()({
  ...haltSwitch,
  name: 'HaltAllDistributions',
  summary: 'Halt the distribution of all tokens',
  description:
    'Until the distribution is resumed, no run is opened, and open runs stop before their next transaction. Tokens that are created later are halted too.',
  route: { method: 'POST', url: '/operator/distributions/halt', auth: 'operator', limit: 'operator' },
  decide: (halted, _input, { reason }) => (halted === undefined ? [AllDistributionsHalted({ reason })] : []),
});

export const resumeAllDistributions = commandsFor<RuntimeServices>()({
  ...haltSwitch,
  name: 'ResumeAllDistributions',
  summary: 'Resume the distribution of all tokens',
  description: 'Open runs continue where they stopped. A token that is halted individually stays halted.',
  route: { method: 'POST', url: '/operator/distributions/resume', auth: 'operator', limit: 'operator' },
  decide: (halted, _input, { reason }) => (halted === undefined ? [] : [AllDistributionsResumed({ reason })]),
});
