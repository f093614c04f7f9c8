// The read model of the switch for all distributions.
import { describe, test } from 'vitest';
import { distributionSwitch } from '../../../src/projections/distribution-switch.ts';
import { DISTRIBUTION_SWITCH } from '../../../src/streams/distribution-switch.ts';
import { allHalted, allResumed } from '../../support/distribution-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { EARLY, happening } from '../../support/recorded-events.ts';

describe('the switch', () => {
  const spec = projectionSpec(distributionSwitch);
  const at = (time: string) => ({
    ...happening(DISTRIBUTION_SWITCH, allHalted, time),
    actor: 'operator:ann',
  });
  const { reason } = allHalted.data;

  test('is there while all distributions are halted, since the first time', () => {
    const standing = { [DISTRIBUTION_SWITCH]: { reason, by: 'ann', since: EARLY } };
    spec.given(at(EARLY)).gives(standing);
    spec.given(at(EARLY), at('2026-05-05T10:00:00.000Z')).gives(standing);
    spec.given(at(EARLY), happening(DISTRIBUTION_SWITCH, allResumed)).gives({});
  });
});
