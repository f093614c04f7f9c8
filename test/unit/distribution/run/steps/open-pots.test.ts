// Opening the pots of a run: not before the announced moment, and with the root of the ledger.

import { describe, expect, test } from 'vitest';
import { AGAIN } from '../../../../../src/distribution/decision.ts';
import { RECIPIENTS } from '../../../../../src/distribution/paying/plan-batches.ts';
import { nextStep } from '../../../../../src/distribution/run/next-step.ts';
import { decideFirstTill } from '../../../../../src/distribution/run/steps/open-first-till.ts';
import { decideOpen } from '../../../../../src/distribution/run/steps/open-pots.ts';
import { RunAllotted } from '../../../../../src/streams/distribution-run.ts';
import {
  delegate,
  files,
  pot,
  runAllotted,
  runId,
  runOpened,
  taxSplit,
  tills,
} from '../../../../support/distribution-examples.ts';
import { ids } from '../../../../support/domain-examples.ts';
import { courseTo, recordedLinks, TOKEN, viewOf, waiting } from '../../../../support/run-examples.ts';

const ALLOTTED = courseTo(runAllotted);
const PAY_AFTER = Date.parse(runAllotted.data.payAfter);
const at = (milliseconds: number) => ({ now: new Date(PAY_AFTER + milliseconds) });

describe('nothing is paid before the announced moment', () => {
  test.each([
    ['a millisecond before it', -1, 1],
    ['some seconds before it', -4_000, 4_000],
    ['long before it, looking again now and then', -30_000, 5_000],
  ])('%s', (_when, milliseconds, pause) => {
    expect(decideOpen(viewOf(ALLOTTED), at(milliseconds))).toEqual(
      waiting('scheduled', 'Nothing is paid before 2026-05-04T11:00:30.000Z.', pause),
    );
  });
});

describe('when the moment has come', () => {
  test('the link that opens the pots is recorded, and carries the root of the ledger', () => {
    const decision = decideOpen(viewOf(ALLOTTED), at(0));
    const { recorded, links, rest } = recordedLinks(decision);
    expect([decision.kind, rest.purpose]).toEqual(['record-of-token', 'open']);
    expect(links).toMatchObject([
      {
        number: 2,
        previous: tills.second,
        actions: [
          { kind: 'memo', text: `levy:${runId}:${files.root}` },
          { kind: 'open', seed: 'pot-0', pot, allowance: '90000000' },
        ],
      },
    ]);
    const nothing = { owners: undefined, scan: undefined };
    expect(nextStep(viewOf([...ALLOTTED, recorded]), nothing, RECIPIENTS)).toBe('drive-links');
  });

  test('the key of a run that pays tokens is approved', () => {
    const ofTokens = RunAllotted({
      ...runAllotted.data,
      pots: [{ asset: 'token', address: TOKEN.tokens, delegate, seed: '', from: 0, to: 120, allowance: '9' }],
    });
    const { links } = recordedLinks(decideOpen(viewOf(courseTo(runAllotted, [ofTokens])), at(0)));
    const approval = { kind: 'approve', delegate, allowance: '9' };
    expect(links.flatMap(({ actions }) => actions.slice(1))).toEqual([approval]);
  });

  test('a run that has no ledger yet is looked at again', () => {
    expect(decideOpen(viewOf(courseTo(taxSplit)), at(0))).toEqual(AGAIN);
  });
});

test('a token that has no till begins with a link that spends nothing and does nothing else', () => {
  const decision = decideFirstTill(viewOf([runOpened]));
  const { links, rest } = recordedLinks(decision);
  expect([decision.kind, rest]).toEqual([
    'record-of-token',
    { tokenId: ids.tokenId, runId, purpose: 'begin' },
  ]);
  expect(links).toMatchObject([{ number: 0, previous: null, actions: [] }]);
});
