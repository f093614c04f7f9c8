// The steps of a run as they are shown: with the announced moment, which nothing records.
import { expect, test } from 'vitest';
import { foldEvents } from '../../../src/kernel/runtime/fold-events.ts';
import {
  type DistributionRunDocument,
  distributionRuns,
} from '../../../src/projections/distribution-runs.ts';
import { cachingOf } from '../../../src/views/distribution-access.ts';
import { runPage, runSteps } from '../../../src/views/run-views.ts';
import { distributionDocument } from '../../support/distribution-document.ts';
import {
  holdersScanned,
  linksLanded,
  openRecorded,
  runAllotted,
  runId,
  runOpened,
  saleAwaited,
  splitLanded,
  splitRecorded,
  taxCollected,
  taxSplit,
} from '../../support/distribution-examples.ts';
import { ids, signatures } from '../../support/domain-examples.ts';
import { type Happening, happening, recordedEvents } from '../../support/recorded-events.ts';
import { openLanded } from '../../support/run-examples.ts';

const { tokenId } = ids;
const at = (second: number) => `2026-05-04T11:01:${String(second).padStart(2, '0')}.000Z`;
const allotted = { ...runAllotted, data: { ...runAllotted.data, payAfter: at(30) } };

const UNTIL_ALLOTTED = [
  happening(tokenId, runOpened, at(0)),
  happening(tokenId, linksLanded, at(2)),
  happening(runId, holdersScanned, at(3)),
  happening(runId, taxCollected, at(4)),
  happening(runId, saleAwaited, at(5)),
  happening(tokenId, splitRecorded, at(6)),
  happening(tokenId, splitLanded, at(7)),
  happening(runId, taxSplit, at(8)),
  happening(runId, allotted, at(9)),
];

const documentAfter = (...more: readonly Happening[]) => documentOf([...UNTIL_ALLOTTED, ...more]);

function documentOf(happenings: readonly Happening[]) {
  const events = recordedEvents(happenings);
  const document = foldEvents(distributionRuns, new Map(), events).at(-1)?.document;
  return document as DistributionRunDocument;
}

function shown(now: number, ...more: readonly Happening[]) {
  return runSteps(documentAfter(...more), new Date(at(now)));
}

test('the announced moment parts the wait for it from what comes after', () => {
  expect(shown(29).slice(-1)).toMatchObject([{ step: 'announce', begunAt: at(9), endedAt: null }]);
  const after = [
    { step: 'announce', begunAt: at(9), endedAt: at(30) },
    { step: 'open', begunAt: at(30), endedAt: null },
  ];
  expect(shown(30).slice(-2)).toMatchObject(after);
  const opened = shown(50, happening(tokenId, openRecorded, at(31)), happening(tokenId, openLanded, at(40)));
  expect(opened.slice(-3)).toMatchObject([
    after[0],
    { step: 'open', begunAt: at(30), endedAt: at(40) },
    { step: 'pay', begunAt: at(40), endedAt: null },
  ]);
});

test('a step has its own transactions, and its waits in words with their ends', () => {
  const steps = shown(29);
  const of = (name: string) => steps.find(({ step }) => step === name);
  expect(steps.filter(({ waits }) => waits.length > 0).map(({ step }) => step)).toEqual(['split']);
  expect(of('begin')?.transactions).toEqual([{ signature: signatures.second, at: at(2) }]);
  expect(of('collect')?.transactions).toEqual([{ signature: signatures.second, at: at(4) }]);
  expect(of('split')?.transactions).toEqual([{ signature: signatures.first, at: at(7) }]);
  expect(of('split')?.waits).toEqual([
    {
      code: 'price-unknown',
      detail: 'The price of the pool has not been sampled for long enough.',
      since: at(5),
      until: at(6),
    },
  ]);
});

test('the page of an open run has what was sold, paid and sent so far, each by its purpose', () => {
  const run = documentAfter(happening(tokenId, openRecorded, at(31)), happening(tokenId, openLanded, at(40)));
  const around = { now: new Date(at(50)), isHalted: false, waitingFor: undefined };
  const page = runPage(run, { ...around, urlOf: (sha256) => `/files/${sha256}` });
  const { root, ledger, records } = runAllotted.data;
  expect(page).toMatchObject({
    step: 'pay',
    since: at(40),
    amounts: { soldParts: taxSplit.data.sold, allotted: runAllotted.data.shares, owedAfter: null, paid: '0' },
    sale: { unsold: null, tries: 1, offers: [] },
    ledger: { sha256: ledger, settlementSha256: null, url: `/files/${ledger}`, root, records },
  });
  expect(page.transactions).toEqual({
    begin: [signatures.second],
    withdraw: [signatures.second],
    split: [signatures.first],
    open: [signatures.first],
    close: [],
  });
  const {
    amounts,
    sale,
    ledger: none,
  } = runPage(documentOf(UNTIL_ALLOTTED.slice(0, 3)), { ...around, urlOf: String });
  expect({ amounts, sale, none }).toMatchObject({
    amounts: { soldParts: null, paid: null },
    sale: null,
    none: null,
  });
});

test('a page of a run is kept for good once the run is closed, unless its token is hidden', () => {
  const of = (hidden: boolean, closedAt: string | null) =>
    cachingOf({ ...distributionDocument(tokenId), hidden }, { ...documentAfter(), closedAt });
  expect([of(false, at(50)), of(true, at(50)), of(false, null)]).toEqual([
    'immutable',
    'revalidated',
    'revalidated',
  ]);
});
