// The switch that halts the distribution of all tokens.
import { expect, test } from 'vitest';
import { distributionSwitch } from '../../../src/streams/distribution-switch.ts';
import { allHalted, allResumed } from '../../support/distribution-examples.ts';

test('all distributions are halted until they are resumed', () => {
  const halted = distributionSwitch.evolve(distributionSwitch.initial, allHalted);
  expect([distributionSwitch.initial, halted]).toEqual([undefined, { reason: allHalted.data.reason }]);
  expect(distributionSwitch.evolve(halted, allResumed)).toBeUndefined();
});
