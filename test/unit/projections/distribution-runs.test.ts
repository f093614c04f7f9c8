// The read model of runs: what each was opened with, what it has done, and where its files are.
import { describe, expect, test } from 'vitest';
import {
  type DistributionRunDocument,
  distributionRuns,
} from '../../../src/projections/distribution-runs.ts';
import {
  batchesSettled,
  files,
  linksLanded,
  pot,
  runAllotted,
  runClosed,
  runId,
  runOpened,
  splitLanded,
  taxCollected,
  taxSplit,
  witnessAwaited,
} from '../../support/distribution-examples.ts';
import { addresses, ids, signatures } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const openedAt = '2026-05-04T11:00:10.000Z';
const later = '2026-05-04T11:00:50.000Z';
const opened = happening(tokenId, runOpened, openedAt);
const collected = happening(runId, taxCollected);
const split = happening(runId, taxSplit);
const allotted = happening(runId, runAllotted);
const settled = happening(runId, batchesSettled);

const document: DistributionRunDocument = {
  runId,
  tokenId,
  number: 1,
  mint: addresses.mint,
  asset: 'sol',
  requested: false,
  dueAt: runOpened.data.dueAt,
  openedAt,
  closedAt: null,
  settings: {
    rewardToken: 'SOL',
    distributionModel: 'proportional',
    minimumHoldingRequirement: '0',
    percentageToSellPerDistribution: 90,
    distributionEnabled: true,
    distributionInterval: '1h',
    burnPercent: 10,
    developerFeePercent: 10,
    developerWallet: addresses.creator,
  },
  carried: {
    kept: { developer: '0', holders: '0' },
    owed: { sol: '0', token: '0' },
    dust: { sol: '0', token: '0' },
  },
  collected: null,
  split: null,
  allotted: null,
  pots: [],
  payments: 0,
  transactions: { withdraw: [], begin: [], split: [], open: [], close: [] },
  witness: null,
  closed: null,
};

const { runId: _run, tokenId: _token, ...splitAs } = taxSplit.data;
const allottedAs = {
  sha256: files.ledger,
  root: files.root,
  records: 4,
  shares: '88879999',
  dust: '1',
  planned: '90000000',
  payAfter: runAllotted.data.payAfter,
};
const unpaid = { asset: 'sol', address: pot, allowance: '90000000', left: '90000000' } as const;

describe('a run', () => {
  const spec = projectionSpec(distributionRuns);
  const shows = (expected: Partial<DistributionRunDocument>, ...events: readonly Happening[]) =>
    spec.given(opened, ...events).gives({ [runId]: { ...document, ...expected } });

  test('shows the settings that it was opened with, but for the chat group', () => {
    shows({});
    spec.given(collected, split, allotted, settled).gives({});
  });

  test('shows what was collected and split, with the transactions that did it', () => {
    const withdraw = [signatures.second];
    shows({ collected: '1000000', transactions: { ...document.transactions, withdraw } }, collected);
    shows(
      {
        split: splitAs,
        transactions: { ...document.transactions, begin: [signatures.second], split: [signatures.first] },
      },
      happening(tokenId, linksLanded),
      happening(tokenId, splitLanded),
      split,
    );
  });

  test('shows who is to be paid from which pot, and what is left in it', () => {
    shows({ allotted: allottedAs, pots: [unpaid] }, allotted);
    shows({ allotted: allottedAs, pots: [{ ...unpaid, left: '1000000' }], payments: 2 }, allotted, settled);
  });

  test('is closed with both sides of every equation', () => {
    const { amounts, closedAt, fees, paidDebts, walletsPaid } = runClosed.data;
    shows(
      {
        closedAt,
        closed: { amounts, paidDebts, walletsPaid, fees, settlementSha256: files.settlement },
      },
      happening(tokenId, runClosed),
    );
  });

  test('shows what the second node said last', () => {
    const silent = happening(runId, witnessAwaited, later);
    const disagrees = { ...witnessAwaited, data: { ...witnessAwaited.data, witness: 'disagrees' as const } };
    shows({ witness: { word: 'silent', since: later } }, silent);
    shows({ witness: { word: 'disagrees', since: later } }, silent, happening(runId, disagrees, later));
  });

  test('is found by its token', () => {
    expect(distributionRuns.indexes?.token?.(document)).toEqual([tokenId]);
  });
});
