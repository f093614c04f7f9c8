// What is counted of transactions and sales, by what was recorded.
import { expect, test } from 'vitest';
import { countRecorded } from '../../../../src/distribution/run/take-step.ts';
import type { RewardAsset } from '../../../../src/streams/distribution.ts';
import { TaxCollected } from '../../../../src/streams/distribution-run.ts';
import {
  batchesSettled,
  batchReplanned,
  linksLanded,
  linksRecorded,
  roundRecorded,
  runClosed,
  taxCollected,
  taxSplit,
  unsoldTax,
} from '../../../support/distribution-examples.ts';

type Events = Parameters<typeof countRecorded>[2];

function countsOf(events: Events, asset: RewardAsset | undefined = 'sol'): readonly string[] {
  const counted: string[] = [];
  const counts = {
    scanned() {},
    transaction: (kind: string, outcome: string) => void counted.push(`${kind} ${outcome}`),
    sale: (outcome: string) => void counted.push(`sale ${outcome}`),
  };
  countRecorded(counts, asset, events);
  return counted;
}

test.each<readonly [what: string, events: Events, counted: readonly string[]]>([
  ['a link that landed', [linksLanded], ['link landed']],
  ['a harvest and its withdrawal', [taxCollected], ['harvest landed', 'withdraw landed']],
  [
    'a withdrawal without a harvest',
    [TaxCollected({ ...taxCollected.data, harvested: 0 })],
    ['withdraw landed'],
  ],
  ['a batch that landed', [batchesSettled], ['payment landed']],
  ['a batch that is planned anew', [batchReplanned], ['payment refused']],
  ['a sale', [taxSplit], ['sale sold']],
  ['a sale that was not made', [unsoldTax], ['sale price-below-reference']],
  ['what may be signed, and a run that is closed', [linksRecorded, roundRecorded, runClosed], []],
  ['each event', [linksLanded, batchesSettled], ['link landed', 'payment landed']],
])('counted is %s', (_what, events, counted) => {
  expect(countsOf(events)).toEqual(counted);
});

test('no sale is counted where the token itself is paid', () => {
  expect(countsOf([taxSplit], 'token')).toEqual([]);
});
