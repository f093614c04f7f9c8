// What the distributions of all tokens have done together: running sums in one document.
import { describe, test } from 'vitest';
import {
  ALL_DISTRIBUTIONS,
  distributionTotals,
  NO_DISTRIBUTIONS,
} from '../../../src/projections/distribution-totals.ts';
import { NO_RUNS } from '../../../src/projections/run-sums.ts';
import { RunClosed, RunSkipped } from '../../../src/streams/distribution.ts';
import {
  batchesSettled,
  holdersScanned,
  runClosed,
  runId,
  runOpened,
  runSkipped,
  sumsAfterOne,
} from '../../support/distribution-examples.ts';
import { ids } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const opened = happening(tokenId, runOpened);
const closed = happening(tokenId, runClosed);
const scanned = happening(runId, holdersScanned);
const settled = happening(runId, batchesSettled);

describe('the totals', () => {
  const { given } = projectionSpec(distributionTotals);
  const all = (totals: object) => ({ [ALL_DISTRIBUTIONS]: { ...NO_DISTRIBUTIONS, ...totals } });

  test('count an open run, what it found, and its payments as soon as they are settled', () => {
    given(opened).gives(all({ runsOpened: 1 }));
    given(opened, scanned, settled).gives(all({ runsOpened: 1, withheld: '1000000', payments: 2 }));
  });

  test('follow what is owed, in either asset, as it grows and is paid', () => {
    const { data } = runClosed;
    const inToken = RunClosed({
      ...data,
      number: 2,
      asset: 'token',
      amounts: { ...data.amounts, proceeds: '0', owed: '0', owedAfter: '5', paid: '700', costs: '0' },
      paidDebts: '10999999',
      paidTo: { costs: '0', developer: '0', holders: '700', holdersPaid: 1 },
      fees: '1',
    });
    const lessInToken = RunClosed({
      ...inToken.data,
      number: 3,
      amounts: { ...inToken.data.amounts, owed: '5', owedAfter: '2', paid: '3' },
      paidDebts: '0',
      paidTo: { costs: '0', developer: '0', holders: '3', holdersPaid: 1 },
    });
    given(
      opened,
      scanned,
      settled,
      closed,
      happening(tokenId, inToken),
      happening(tokenId, lessInToken),
    ).gives({
      [ALL_DISTRIBUTIONS]: {
        ...sumsAfterOne,
        runsOpened: 1,
        skips: {},
        payments: 2,
        withheld: '1000000',
        runs: 3,
        collected: '3000000',
        burned: '300000',
        sold: '2430000',
        owed: { sol: '0', token: '2' },
        paidTo: {
          ...NO_RUNS.paidTo,
          holders: { sol: '77890000', token: '703' },
          developer: { sol: '11110000', token: '0' },
          debts: { sol: '10999999', token: '0' },
        },
        holdersPaid: 3,
        fees: '25002',
        recentlyToHolders: {
          hours: { '2026-05-04T11': { sol: '77890000', token: '703' } },
          days: { '2026-05-04': { sol: '77890000', token: '703' } },
        },
      },
    });
  });

  test('count skipped runs by their reason', () => {
    const unfunded = RunSkipped({ ...runSkipped.data, reason: 'distributor-unfunded' });
    given(happening(tokenId, runSkipped), happening(tokenId, unfunded), happening(tokenId, runSkipped)).gives(
      all({ skips: { 'nothing-collected': 2, 'distributor-unfunded': 1 } }),
    );
  });
});
