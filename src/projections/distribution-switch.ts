/** Projection with one document, which exists while an operator has halted the distribution of all tokens. */
import { DISTRIBUTION_SWITCH } from '../streams/distribution-switch.ts';
import { defineProjection, operatorName } from './levy-projection.ts';

export type DistributionSwitchDocument = {
  readonly reason: string;
  /** The operator's name. */
  readonly by: string;
  readonly since: string;
};

const theSwitch = (): string => DISTRIBUTION_SWITCH;

export const distributionSwitch = defineProjection<DistributionSwitchDocument>({
  name: 'distribution_switch',
  version: 1,
  on: {
    AllDistributionsHalted: {
      key: theSwitch,
      apply: (before, { data: { reason }, metadata: { actor, occurredAt } }) => ({
        reason,
        by: operatorName(actor),
        since: before?.since ?? occurredAt,
      }),
    },
    AllDistributionsResumed: { key: theSwitch, apply: () => undefined },
  },
});
