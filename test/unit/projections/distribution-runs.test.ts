// The read model of runs: what each was opened with, what it has done, and where its files are.
import { describe, expect, test } from 'vitest';
import { foldEvents } from '../../../src/kernel/runtime/fold-events.ts';
import type { StepTaken } from '../../../src/projections/distribution-runs.ts';
import {
  type DistributionRunDocument,
  distributionRuns,
} from '../../../src/projections/distribution-runs.ts';
import { CollectionCorrected } from '../../../src/streams/distribution-run.ts';
import { settingsView } from '../../../src/streams/distribution-settings.ts';
import {
  batchesSettled,
  batchReplanned,
  distributionHalted,
  files,
  holdersScanned,
  linksLanded,
  linksRecorded,
  openRecorded,
  roundRecorded,
  runAllotted,
  runClosed,
  runId,
  runOpened,
  saleAwaited,
  scanDisagreed,
  soldAtMarket,
  splitLanded,
  splitRecorded,
  taxCollected,
  taxSplit,
  witnessAwaited,
} from '../../support/distribution-examples.ts';
import { addresses, ids, signatures } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { EARLY, type Happening, happening, recordedEvents } from '../../support/recorded-events.ts';
import { openLanded } from '../../support/run-examples.ts';

const { tokenId } = ids;
const identity = { tokenId, runId };
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
  settings: settingsView(runOpened.data.settings),
  carried: {
    kept: { developer: '0', holders: '0' },
    owed: { sol: '0', token: '0' },
    dust: { sol: '0', token: '0' },
  },
  records: { rounds: 0, pots: [], witnessed: [], saleAwaited: [] },
  payments: 0,
  transactions: [],
  steps: [{ step: 'begin', begunAt: openedAt, batches: 0 }],
  waits: [],
  progress: { movedAt: openedAt, pending: null },
  closed: null,
};

type Progress = NonNullable<DistributionRunDocument['progress']>;
const moved = (rest: Partial<Progress> = {}) => ({ progress: { movedAt: EARLY, pending: null, ...rest } });

const recorded = (records: Partial<DistributionRunDocument['records']>) => ({
  records: { ...document.records, ...records },
});
const unpaid = { value: '90000000', next: 0, plans: [] };

const firstStep = { step: 'begin', begunAt: openedAt, batches: 0 } as const;

describe('a run', () => {
  const spec = projectionSpec(distributionRuns);
  const shows = (expected: Partial<DistributionRunDocument>, ...events: readonly Happening[]) =>
    spec.given(opened, ...events).gives({ [runId]: { ...document, ...expected } });

  test('shows the settings that it was opened with, but for the chat group', () => {
    shows({});
    spec.given(collected, split, allotted, settled).gives({});
  });

  test('shows what was collected and split, with the transactions that did it', () => {
    const withdrawal = { signature: signatures.second, purpose: 'withdraw', at: EARLY } as const;
    shows(
      { ...recorded({ collected: taxCollected.data }), transactions: [withdrawal], ...moved() },
      collected,
    );
    shows(
      {
        ...moved(),
        ...recorded({ split: taxSplit.data }),
        steps: [firstStep, { ...firstStep, step: 'scan', begunAt: EARLY }],
        transactions: [
          { signature: signatures.second, purpose: 'begin', at: EARLY },
          { signature: signatures.first, purpose: 'split', at: EARLY },
        ],
      },
      happening(tokenId, linksLanded),
      happening(tokenId, splitLanded),
      split,
    );
  });

  test('shows who is to be paid from which pot, and what is left in it', () => {
    shows({ ...recorded({ allotted: runAllotted.data, pots: [unpaid] }), ...moved() }, allotted);
    shows(
      {
        ...recorded({ allotted: runAllotted.data, pots: [{ ...unpaid, value: '1000000', next: 3 }] }),
        payments: 2,
        steps: [{ ...firstStep, batches: 1 }],
        ...moved(),
      },
      allotted,
      settled,
    );
  });

  test('is closed with both sides of every equation', () => {
    const { amounts, closedAt, fees, paidDebts, paidTo } = runClosed.data;
    shows(
      {
        closedAt,
        progress: null,
        closed: { amounts, paidDebts, paidTo, fees, settlementSha256: files.settlement },
      },
      happening(tokenId, runClosed),
    );
  });

  test('keeps which links are under way, and that holders were scanned', () => {
    const { links } = linksRecorded.data;
    const pending = {
      purpose: 'begin',
      links: links.map(({ till, previous }) => ({ till, previous })),
    } as const;
    shows(
      { ...recorded({ scanned: holdersScanned.data, rounds: 1 }), ...moved({ pending }) },
      happening(tokenId, linksRecorded),
      happening(runId, holdersScanned),
      happening(runId, roundRecorded),
      happening(runId, batchReplanned),
    );
  });

  test('shows what the second node said last', () => {
    const silent = happening(runId, witnessAwaited, later);
    const disagrees = { ...witnessAwaited, data: { ...witnessAwaited.data, witness: 'disagrees' as const } };
    const movedLater = moved({ movedAt: later });
    const waits = (until: string | null) => ({ code: 'unconfirmed', since: later, until });
    shows(
      {
        ...recorded({ witnessed: ['silent'] }),
        waits: [waits(null)],
        ...movedLater,
      },
      silent,
    );
    const then = { code: 'unconfirmed', since: later, until: null };
    shows(
      {
        ...recorded({ witnessed: ['silent', 'disagrees'] }),
        waits: [waits(later), then],
        ...movedLater,
      },
      silent,
      happening(runId, disagrees, later),
    );
  });

  test('that an operator corrects has another collection, and is split and allotted again', () => {
    const correctedAt = { ...identity, collected: '900000', balance: '900000', slot: '4300' };
    const corrected = happening(runId, CollectionCorrected(correctedAt), later);
    spec.given(opened, collected, split, allotted, corrected).gives({
      [runId]: expect.objectContaining(
        recorded({
          collected: { ...taxCollected.data, collected: '900000', balance: '900000' },
          corrected: '4300',
          pots: [],
        }),
      ),
    });
  });

  test('shows by what its sale was judged, and what it waited for', () => {
    const awaited = happening(runId, saleAwaited, later);
    shows(
      {
        ...recorded({ saleAwaited: ['price-unknown'] }),
        waits: [{ code: 'price-unknown', since: later, until: null }],
        ...moved({ movedAt: later }),
      },
      awaited,
    );
    shows({ ...recorded({ split: soldAtMarket.data }), ...moved() }, happening(runId, soldAtMarket));
  });

  test('shows a halt, and accounts that do not add up, as what it waits for until something is recorded again', () => {
    const disagreed = happening(runId, scanDisagreed, openedAt);
    const halted = happening(
      tokenId,
      { ...distributionHalted, data: { ...distributionHalted.data, runId } },
      later,
    );
    const still = { progress: document.progress };
    const waits = { code: 'unconfirmed', since: openedAt, until: null };
    shows({ waits: [waits], ...still }, disagreed);
    const then = { code: 'halted', since: later, until: null };
    shows({ waits: [{ ...waits, until: later }, then], ...still }, disagreed, halted);
    const ofNoRun = { ...distributionHalted, data: { ...distributionHalted.data, runId: null } };
    shows({}, happening(tokenId, ofNoRun, later));
  });

  test('is found by its token, and by its step while it is open', () => {
    expect(distributionRuns.indexes?.token?.(document)).toEqual([tokenId]);
    expect(distributionRuns.indexes?.step?.(document)).toEqual(['begin']);
    expect(distributionRuns.indexes?.step?.({ ...document, progress: null })).toEqual([]);
  });

  test('shows its step, since when, and when something was recorded last: what is repeated in a step begins none', () => {
    const at = (second: number) => `2026-05-04T11:01:${String(second).padStart(2, '0')}.000Z`;
    const told: readonly (readonly [StepTaken['step'], number, Happening])[] = [
      ['begin', -1, happening(tokenId, linksRecorded, at(1))],
      ['scan', 2, happening(tokenId, linksLanded, at(2))],
      ['collect', 3, happening(runId, holdersScanned, at(3))],
      ['split', 4, happening(runId, taxCollected, at(4))],
      ['split', 4, happening(tokenId, splitRecorded, at(5))],
      // Another content for the same till, which has not landed either.
      ['split', 4, happening(tokenId, splitRecorded, at(6))],
      ['split', 4, happening(tokenId, splitLanded, at(7))],
      ['allot', 8, happening(runId, taxSplit, at(8))],
      ['open', 9, happening(runId, runAllotted, at(9))],
      ['open', 9, happening(tokenId, openRecorded, at(10))],
      ['pay', 11, happening(tokenId, openLanded, at(11))],
      ['pay', 11, happening(runId, roundRecorded, at(12))],
      ['pay', 11, happening(runId, batchReplanned, at(13))],
      ['pay', 11, happening(runId, batchesSettled, at(14))],
      ['close', 15, happening(runId, witnessAwaited, at(15))],
    ];
    const stored = told.map((_one, index) =>
      recordedEvents([opened, ...told.slice(0, index + 1).map(([, , event]) => event)]),
    );
    const documents = stored.map(
      (events) =>
        foldEvents(distributionRuns, new Map(), events).at(-1)?.document as
          | DistributionRunDocument
          | undefined,
    );
    const found = documents.map((document) => ({ ...document?.steps.at(-1), ...document?.progress }));
    expect(found).toMatchObject(
      told.map(([step, since, { occurredAt }]) => ({
        step,
        begunAt: since < 0 ? openedAt : at(since),
        movedAt: occurredAt,
      })),
    );
  });
});
