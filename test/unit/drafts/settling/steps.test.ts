// A confirmed transaction that one node does not show may still be there.
import { expect, test } from 'vitest';
import { onceGone } from '../../../../src/drafts/settling/steps.ts';
import { SubmissionDropped } from '../../../../src/streams/draft-events.ts';
import { ids } from '../../../support/domain-examples.ts';

test('a confirmation is taken back after five observations in a row, and not before', () => {
  const { transactionId } = ids;
  for (const observed of [1, 4]) expect(onceGone(transactionId, observed)).toEqual({ kind: 'wait' });
  const dropped = { kind: 'record', event: SubmissionDropped({ transactionId }) };
  for (const observed of [5, 6]) expect(onceGone(transactionId, observed)).toEqual(dropped);
});
