// A confirmed transaction that one node does not show may still be there.
import { expect, test } from 'vitest';
import { failedStep, onceRepeated, refusedStep } from '../../../../src/drafts/settling/steps.ts';
import { SubmissionDropped, SubmissionFailed } from '../../../../src/streams/draft-events.ts';
import { ids, signatures } from '../../../support/domain-examples.ts';

test('a confirmation is taken back after five observations in a row, and not before', () => {
  const event = SubmissionDropped({ transactionId: ids.transactionId });
  for (const observed of [1, 4]) expect(onceRepeated(event, observed)).toEqual({ kind: 'wait' });
  for (const observed of [5, 6]) expect(onceRepeated(event, observed)).toEqual({ kind: 'record', event });
});

test('what the chain has refused for good is told with its log where the node has it, and without where it has not', () => {
  const { transactionId } = ids;
  const step = refusedStep(transactionId, signatures.first, '"Refused"');
  if (step.kind !== 'search') throw new Error(`no search: ${step.kind}`);
  const transaction = { slot: 7, wire: new Uint8Array(), fee: 5_000n, error: '"Refused"', logs: ['a line'] };
  expect(step.search).toMatchObject({ commitment: 'finalized', known: [signatures.first] });
  // It is known by its signature: whatever is found under it is it.
  expect(step.search.matches(transaction)).toBe(true);
  const failed = (logs: string[]) => ({
    kind: 'record',
    event: SubmissionFailed({
      transactionId,
      code: 'CHAIN_REJECTED',
      message: 'The chain refused the transaction: "Refused".',
      logs,
    }),
  });
  expect(step.conclude({ kind: 'found', signature: signatures.first, transaction })).toEqual(
    failed(['a line']),
  );
  expect(step.conclude({ kind: 'absent', others: new Map() })).toEqual(failed([]));
});

test('what has not landed in time is told without a log', () => {
  const { transactionId } = ids;
  expect(failedStep(transactionId, undefined, ['a line'])).toEqual({
    kind: 'record',
    event: SubmissionFailed({
      transactionId,
      code: 'TRANSACTION_EXPIRED',
      message: 'The transaction did not land in time and can no longer land.',
      logs: [],
    }),
  });
});
