// The first link of a token: it makes the till that everything else spends.
import { expect, test } from 'vitest';
import { isTrueToContent } from '../../../../../src/distribution/links/link-content.ts';
import { RECIPIENTS } from '../../../../../src/distribution/paying/plan-batches.ts';
import { nextStep } from '../../../../../src/distribution/run/next-step.ts';
import { decideBegin } from '../../../../../src/distribution/run/steps/begin.ts';
import { runId, runOpened } from '../../../../support/distribution-examples.ts';
import { ids } from '../../../../support/domain-examples.ts';
import { recordedBy, TOKEN, viewOf } from '../../../../support/run-examples.ts';

test('a token that has no till begins with a link that spends nothing and does nothing else', () => {
  const decision = decideBegin(viewOf([runOpened]));
  const [recorded] = recordedBy(decision);
  if (recorded?.type !== 'LinksRecorded') throw new Error('a link is recorded');
  const { links, ...rest } = recorded.data;
  expect([decision.kind, rest]).toEqual([
    'record-of-token',
    { tokenId: ids.tokenId, runId, purpose: 'begin' },
  ]);
  expect(links).toMatchObject([{ number: 0, previous: null, actions: [] }]);
  expect(links.every((link) => isTrueToContent({ ...link, actions: [] }, TOKEN))).toBe(true);
});

test('a link that is recorded is driven, and not begun again', () => {
  const recorded = recordedBy(decideBegin(viewOf([runOpened])));
  const view = viewOf([runOpened, ...recorded]);
  expect(nextStep(view, { owners: undefined, scan: undefined }, RECIPIENTS)).toBe('drive-links');
});
