/** The one stream that says whether an operator has halted the distribution of all tokens. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';

/** The id of the stream; there is one switch. */
export const DISTRIBUTION_SWITCH = 'all';

const distributionSwitchEvents = {
  AllDistributionsHalted: Type.Object({ reason: Type.String() }),
  AllDistributionsResumed: Type.Object({ reason: Type.String() }),
};

export const { AllDistributionsHalted, AllDistributionsResumed } = constructorsOf(distributionSwitchEvents);

export type DistributionSwitchState = { readonly reason: string } | undefined;

export const distributionSwitch = defineStream({
  category: 'distributions',
  events: distributionSwitchEvents,
  internal: {
    AllDistributionsHalted: "The operator's affair: what stands still is told token by token.",
    AllDistributionsResumed: "The operator's affair: what goes on is told token by token.",
  },
  initial: undefined as DistributionSwitchState,
  evolve: (_state, event): DistributionSwitchState =>
    event.type === 'AllDistributionsHalted' ? { reason: event.data.reason } : undefined,
});
