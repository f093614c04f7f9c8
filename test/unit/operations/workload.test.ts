// How much is under way, over a real read model.
import { expect, test } from 'vitest';
import type { DocumentChange } from '../../../src/kernel/ports/read-model.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { createWorkload } from '../../../src/operations/workload.ts';
import { projections } from '../../../src/projections/index.ts';
import { type TransactionDocument, transactions } from '../../../src/projections/transactions.ts';
import { liveReadModel } from '../../support/projecting.ts';
import { transactionDocument } from '../../support/transaction-document.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const NOW = new Date('2026-05-04T09:05:00.000Z');
const OPTIONS = { clock: { now: () => NOW }, settleGrace: MINUTE };

const readModel = () => liveReadModel(projections);

function draft(
  status: TransactionDocument['status'],
  acceptedAt: string | null = null,
  deadline: string | null = null,
): DocumentChange {
  const transactionId = randomId();
  const document = { ...transactionDocument(transactionId), status, acceptedAt, deadline };
  return { key: transactionId, position: '1', document };
}

test('nothing is under way at first', async () => {
  const workload = createWorkload(await readModel(), OPTIONS);
  expect(await workload.drafts()).toEqual({ open: 0, submitted: 0, confirmed: 0 });
  expect(await workload.nonceAccounts()).toEqual({ known: 0, leased: 0, free: 0 });
  expect(await workload.submissions()).toEqual({
    toSettle: 0,
    flooded: 0,
    unknown: 0,
    oldestAcceptedAt: undefined,
    overdue: undefined,
  });
});

test('drafts that live are counted by state; a submission is under way until it is final', async () => {
  const documents = await readModel();
  const [early, late] = ['2026-05-04T09:01:00.000Z', '2026-05-04T09:02:00.000Z'];
  const changes = [
    draft('open'),
    draft('open'),
    draft('submitted', late, '2026-05-04T09:04:02.000Z'),
    draft('confirmed', early, '2026-05-04T09:04:01.000Z'),
    // Sent by its creator, and never accepted here.
    draft('confirmed'),
    draft('finalized', '2026-05-04T08:00:00.000Z'),
    draft('failed', '2026-05-04T08:00:00.000Z'),
    draft('expired'),
    draft('superseded'),
  ];
  await documents.commit([{ collection: transactions, changes }]);
  const workload = createWorkload(documents, OPTIONS);
  expect(await workload.drafts()).toEqual({ open: 2, submitted: 1, confirmed: 2 });
  expect(await workload.submissions()).toEqual({
    toSettle: 3,
    flooded: 0,
    unknown: 0,
    oldestAcceptedAt: early,
    overdue: undefined,
  });
});

test('submissions are overdue that are under way for longer after their deadline than settling takes', async () => {
  const documents = await readModel();
  const first = draft('submitted', '2026-05-04T09:00:00.000Z', '2026-05-04T09:03:59.000Z');
  const changes = [
    draft('confirmed', '2026-05-04T09:00:30.000Z', '2026-05-04T09:03:30.000Z'),
    first,
    draft('submitted', '2026-05-04T09:02:00.000Z', '2026-05-04T09:04:00.000Z'),
    draft('failed', '2026-05-04T08:00:00.000Z', '2026-05-04T08:02:00.000Z'),
    draft('finalized', '2026-05-04T08:00:00.000Z', '2026-05-04T08:02:00.000Z'),
  ];
  await documents.commit([{ collection: transactions, changes }]);
  const { overdue } = await createWorkload(documents, OPTIONS).submissions();
  expect(overdue).toMatchObject({
    count: 2,
    oldest: { transactionId: first.key, acceptedAt: '2026-05-04T09:00:00.000Z' },
  });
});
