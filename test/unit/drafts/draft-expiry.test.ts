// Open drafts on recent blockhashes are recorded as expired once their time is over, however many there are.
import { expect, test } from 'vitest';
import { createDraftExpiry } from '../../../src/drafts/draft-expiry.ts';
import type { ReadModel } from '../../../src/kernel/ports/read-model.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { DraftIssued } from '../../../src/streams/draft-events.ts';
import { draftsOnRecord, undecodableAt } from '../../support/drafts-on-record.ts';
import { refreshableDraft } from '../../support/refreshable-examples.ts';

const idOf = (name: string) => deriveId('draft', name);
const issued = (name: string, expiresAt: string) =>
  DraftIssued({ ...refreshableDraft, transactionId: idOf(name), expiresAt });
const [AT, LATER] = ['2026-05-04T10:05:00.000Z', '2026-05-04T10:05:00.001Z'];

test('a draft expires at its very millisecond, and not before', async () => {
  const at = await draftsOnRecord();
  await at.record(idOf('due'), issued('due', AT));
  await at.record(idOf('young'), issued('young', LATER));
  const expiry = createDraftExpiry(at);
  at.later(5 * 60_000 - 1);
  await expiry.expire();
  expect(await at.eventsOf(idOf('due'))).toEqual(['DraftIssued']);
  at.later(1);
  for (let round = 0; round < 2; round += 1) await expiry.expire();
  expect(await at.eventsOf(idOf('due'))).toEqual(['DraftIssued', 'DraftExpired']);
  expect(await at.eventsOf(idOf('young'))).toEqual(['DraftIssued']);
});

test('a draft that cannot be decoded keeps no other from expiring', async () => {
  const at = await draftsOnRecord();
  const [first = '', second = ''] = [idOf('one'), idOf('other')].sort();
  for (const name of ['one', 'other']) await at.record(idOf(name), issued(name, AT));
  at.later(5 * 60_000);
  await createDraftExpiry({ ...at, executor: undecodableAt(at.executor, first) }).expire();
  expect(await at.eventsOf(first)).toEqual(['DraftIssued']);
  expect(await at.eventsOf(second)).toEqual(['DraftIssued', 'DraftExpired']);
});

test('drafts of the second page expire as well, and the streams of those whose time is not over are not read', async () => {
  const at = await draftsOnRecord();
  const due = idOf('due');
  await at.record(due, issued('due', AT));
  at.later(5 * 60_000);
  const young = Array.from({ length: 500 }, (_, index) => ({
    transactionId: `0${String(index).padStart(3, '0')}`,
    issued: { expiresAt: LATER },
  }));
  const documents = [...young, { transactionId: due, issued: { expiresAt: AT } }];
  const pages: number[] = [];
  const readModel = {
    async find(_projection: object, _index: string, work: string, { limit = 0, after = '' } = {}) {
      expect(work).toBe('expire');
      // Ids of drafts compare as the store keeps them; here the draft that is due is the last.
      const from = documents.findIndex(({ transactionId }) => transactionId === after) + 1;
      const page = documents.slice(from, from + limit);
      pages.push(page.length);
      return page;
    },
  } as unknown as ReadModel;
  const read: string[] = [];
  const executor: typeof at.executor = {
    ...at.executor,
    execute(stream, streamId, ...rest) {
      read.push(streamId);
      return at.executor.execute(stream, streamId, ...rest);
    },
  };
  await createDraftExpiry({ ...at, executor, readModel }).expire();
  expect(pages).toEqual([500, 1]);
  expect(read).toEqual([due]);
  expect(await at.eventsOf(due)).toEqual(['DraftIssued', 'DraftExpired']);
});
