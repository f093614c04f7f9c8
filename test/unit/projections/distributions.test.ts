// The read model of distributions: how each token's stands, and what its runs have brought.
import { describe, test } from 'vitest';
import { type DistributionDocument, distributions } from '../../../src/projections/distributions.ts';
import { NO_CLOSED_RUNS } from '../../../src/projections/recent-payments.ts';
import { NOTHING } from '../../../src/projections/run-sums.ts';
import {
  DistributionSettingsUpdated,
  TokenCreationReverted,
  TokenHidden,
  TokenShown,
} from '../../../src/streams/token.ts';
import {
  distributionHalted,
  distributionResumed,
  holdersScanned,
  runClosed,
  runId,
  runOpened,
  runRequested,
  runSkipped,
  soldAtMarket,
  sumsAfterOne,
  unsoldTax,
} from '../../support/distribution-examples.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { launchStarted, launchSubject } from '../../support/launch-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

const { tokenId, transactionId } = ids;
const createdAt = '2026-05-04T10:00:41.000Z';
const later = '2026-05-04T11:00:10.000Z';
const created = happening(tokenId, tokenCreated, createdAt);
const opened = happening(tokenId, runOpened, later);
const closed = happening(tokenId, runClosed, later);
const halted = { ...happening(tokenId, distributionHalted, later), actor: 'operator:ann' };

const document: DistributionDocument = {
  tokenId,
  mint: addresses.mint,
  decimals: 6,
  supply: '18446744073709551615',
  creator: addresses.creator,
  signature: tokenCreated.data.signature,
  walletId: ids.walletId,
  distributionWallet: addresses.distributionWallet,
  createdAt,
  rewardToken: 'SOL',
  interval: '1h',
  enabled: true,
  hidden: false,
  poolAddress: null,
  state: 'idle',
  openRunId: null,
  runs: 0,
  lastDueAt: null,
  lastOpenedAt: null,
  lastClosedAt: null,
  skipped: null,
  unsold: null,
  requested: false,
  halted: null,
  withheld: null,
  scanned: null,
  totals: { ...NO_CLOSED_RUNS, owed: NOTHING, dust: NOTHING },
  kept: { developer: '0', holders: '0' },
};
const running: DistributionDocument = {
  ...document,
  state: 'running',
  openRunId: runId,
  runs: 1,
  lastDueAt: runOpened.data.dueAt,
  lastOpenedAt: later,
};
const toHolders = { sol: '77890000', token: '0' };
const afterOne: DistributionDocument = {
  ...running,
  state: 'idle',
  openRunId: null,
  lastClosedAt: runClosed.data.closedAt,
  totals: {
    ...sumsAfterOne,
    recentlyToHolders: { hours: { '2026-05-04T11': toHolders }, days: { '2026-05-04': toHolders } },
    owed: { sol: '10999999', token: '0' },
    dust: { sol: '1', token: '0' },
  },
  kept: { developer: '10000', holders: '80000' },
};

describe('a distribution', () => {
  const spec = projectionSpec(distributions);
  const shows = (expected: Partial<DistributionDocument>, ...events: readonly Happening[]) =>
    spec.given(created, ...events).gives({ [tokenId]: { ...document, ...expected } });
  const changed = (to: object) => happening(tokenId, DistributionSettingsUpdated({ tokenId, from: {}, to }));

  test('is idle from the creation of its token on, and gone with it', () => {
    shows({});
    spec.given(created, happening(tokenId, TokenCreationReverted({ tokenId, transactionId }))).gives({});
    spec.given(opened, closed, halted).gives({});
  });

  test('goes by the settings of its token', () => {
    shows(
      { rewardToken: 'SELF', interval: '5m' },
      changed({ rewardToken: 'SELF', distributionInterval: '5m' }),
    );
    shows({ enabled: false, state: 'disabled' }, changed({ distributionEnabled: false }));
    shows({}, changed({ distributionEnabled: false }), changed({ distributionEnabled: true }));
  });

  test('knows whether its token is hidden, and its pool', () => {
    const hidden = happening(tokenId, TokenHidden({ tokenId, reason: 'a copy' }));
    shows({ hidden: true }, hidden);
    shows({}, hidden, happening(tokenId, TokenShown({ tokenId, reason: null })));
    shows({ poolAddress: launchSubject.poolAddress }, happening(tokenId, launchStarted));
  });

  test('runs from the opening of a run to its closing, also while it is switched off', () => {
    spec.given(created, opened).gives({ [tokenId]: running });
    spec
      .given(created, opened, changed({ distributionEnabled: false }))
      .gives({ [tokenId]: { ...running, enabled: false } });
    spec.given(created, opened, closed).gives({ [tokenId]: afterOne });
  });

  test('shows what the last scan found withheld', () => {
    const { owners, supply } = holdersScanned.data;
    const withheld = { amount: '1000000', slot: '4101', at: later };
    shows({ withheld, scanned: { owners, supply, at: later } }, happening(runId, holdersScanned, later));
  });

  test('says why its last run sold nothing, until one does', () => {
    const unsold = happening(runId, unsoldTax, later);
    shows({ unsold: { reason: 'price-below-reference', tries: 0, runId, since: later } }, unsold);
    shows({}, unsold, happening(runId, soldAtMarket, later));
  });

  test('says why a due run was not opened, until one is', () => {
    const { reason, detail, dueAt } = runSkipped.data;
    const skipped = happening(tokenId, runSkipped, later);
    shows({ lastDueAt: dueAt, skipped: { reason, detail, since: later } }, skipped);
    spec.given(created, skipped, opened).gives({ [tokenId]: running });
  });

  test('remembers that an operator asked for a run', () => {
    const requested = happening(tokenId, runRequested);
    shows({ requested: true }, requested);
    spec.given(created, requested, opened).gives({ [tokenId]: running });
  });

  test('is halted until it is resumed, whatever it was doing', () => {
    const { code, reason } = distributionHalted.data;
    const standing = { state: 'halted', halted: { code, reason, by: 'ann', since: later } } as const;
    shows(standing, halted);
    spec.given(created, opened, halted).gives({ [tokenId]: { ...running, ...standing } });
    const resumed = happening(tokenId, distributionResumed);
    spec.given(created, opened, halted, resumed).gives({ [tokenId]: running });
  });
});
