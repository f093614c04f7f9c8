/** Singleton stream that records halts of all tokens' distributions by operators. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';

/** Id of the singleton stream. */
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
    AllDistributionsHalted: 'An operator action; the state of each token shows it.',
    AllDistributionsResumed: 'An operator action; the state of each token shows it.',
  },
  initial: undefined as DistributionSwitchState,
  evolve: (_state, event): DistributionSwitchState =>
    event.type === 'AllDistributionsHalted' ? { reason: event.data.reason } : undefined,
});
