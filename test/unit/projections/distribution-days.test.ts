// Sums of the runs that a token closed on a day.
import { describe, test } from 'vitest';
import { distributionDays } from '../../../src/projections/distribution-days.ts';
import { NO_RUNS } from '../../../src/projections/run-sums.ts';
import { RunClosed } from '../../../src/streams/distribution.ts';
import { runClosed, sumsAfterOne } from '../../support/distribution-examples.ts';
import { ids } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId, otherTransactionId: otherTokenId } = ids;
const closed = (at: string, changed: Partial<typeof runClosed.data> = {}) =>
  happening(tokenId, RunClosed({ ...runClosed.data, closedAt: at, ...changed }));

const AFTER_ONE = { tokenId, day: '2026-05-04', ...sumsAfterOne };
const TWICE = {
  ...AFTER_ONE,
  runs: 2,
  collected: '2000000',
  burned: '200000',
  sold: '1620000',
  proceeds: '200000000',
  paidTo: {
    ...NO_RUNS.paidTo,
    holders: { sol: '155780000', token: '0' },
    developer: { sol: '22220000', token: '0' },
  },
  holdersPaid: 2,
  fees: '50000',
};

describe('the days of a token', () => {
  const { given } = projectionSpec(distributionDays);

  test('add up their runs', () => {
    given(closed('2026-05-04T11:59:59.999Z'), closed('2026-05-04T09:00:00.000Z')).gives({
      [`${tokenId}/2026-05-04`]: TWICE,
    });
  });

  test('are parted at midnight, and by token', () => {
    given(
      closed('2026-05-04T11:01:00.000Z'),
      closed('2026-05-05T00:00:00.000Z'),
      closed('2026-05-04T11:01:00.000Z', { tokenId: otherTokenId }),
    ).gives({
      [`${tokenId}/2026-05-04`]: AFTER_ONE,
      [`${tokenId}/2026-05-05`]: {
        ...AFTER_ONE,
        day: '2026-05-05',
      },
      [`${otherTokenId}/2026-05-04`]: { ...AFTER_ONE, tokenId: otherTokenId },
    });
  });
});
