// The steps of a run as they are shown: with the announced moment, which nothing records.
import { expect, test } from 'vitest';
import { foldEvents } from '../../../src/kernel/runtime/fold-events.ts';
import {
  type DistributionRunDocument,
  distributionRuns,
} from '../../../src/projections/distribution-runs.ts';
import { runSteps } from '../../../src/views/run-views.ts';
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

function shown(now: number, ...more: readonly Happening[]) {
  const events = recordedEvents([...UNTIL_ALLOTTED, ...more]);
  const document = foldEvents(distributionRuns, new Map(), events).at(-1)?.document;
  return runSteps(document as DistributionRunDocument, new Date(at(now)));
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
