// Drafts with work that the log names, for as long as the read model does not show them as the log has them.
import { expect, test } from 'vitest';
import { createSignalledDrafts } from '../../../src/drafts/draft-signals.ts';
import type { JsonObject, Position } from '../../../src/kernel/ports/event-store.ts';
import type { Projections } from '../../../src/kernel/runtime/projector.ts';
import { tokens } from '../../../src/projections/tokens.ts';
import { transactions } from '../../../src/projections/transactions.ts';

interface Shown {
  readonly position: Position;
  readonly served?: number;
  readonly blockedBy?: object;
}

function world(shown: Shown) {
  const at = { shown };
  const status = () => [
    { name: tokens.name, served: 1, position: '9' },
    { name: transactions.name, ...at.shown },
  ];
  const drafts = createSignalledDrafts({ status } as unknown as Pick<Projections, 'status'>);
  const add = (transactionId: string, type: string, position: Position, data: JsonObject = {}) =>
    drafts.add(transactionId, { type, position, data });
  return { at, drafts, add };
}

test('are unseen until the read model shows their latest event, whatever it has shown of them before', () => {
  const { at, drafts, add } = world({ position: '3', served: 1 });
  add('one', 'SubmissionAccepted', '4');
  add('two', 'SubmissionAccepted', '5');
  add('one', 'DraftHistoryFlooded', '6');
  expect(drafts.unseen()).toEqual(['two', 'one']);
  at.shown = { position: '5', served: 1 };
  expect(drafts.unseen()).toEqual(['one']);
  at.shown = { position: '6', served: 1 };
  expect(drafts.unseen()).toEqual([]);
});

test.each<[string, Shown, Position | undefined]>([
  ['waits at an event', { position: '3', blockedBy: {} }, '3'],
  ['is read', { position: '3', served: 1 }, '3'],
  ['shows nothing', { position: '8' }, undefined],
])('are followed from where the read model is: it %s', (_state, shown, after) => {
  const { drafts, add } = world(shown);
  add('one', 'SubmissionAccepted', '7');
  expect([drafts.unseen(), drafts.shownUpTo()]).toEqual([['one'], after]);
});

test('are those that were submitted or landed, and launches: nobody who only drafts takes their place', () => {
  const { drafts, add } = world({ position: '0', served: 1 });
  add('drafted', 'DraftIssued', '1', { subject: { kind: 'token-creation' } });
  add('cancelled', 'DraftCancelled', '2');
  add('launched', 'DraftIssued', '3', { subject: { kind: 'launch' } });
  add('sent by its creator', 'SubmissionConfirmed', '4');
  add('recorded long ago', 'TokenCreated', '5');
  expect(drafts.unseen()).toEqual(['launched', 'sent by its creator']);
});

test.each(['SubmissionFailed', 'DraftExpired', 'DraftSuperseded'])('end with %s', (ending) => {
  const { drafts, add } = world({ position: '0', served: 1 });
  add('one', 'SubmissionAccepted', '1');
  add('one', ending, '2');
  expect(drafts.unseen()).toEqual([]);
});

test('are to be recorded once, and followed until they are final too, in either order', () => {
  const { drafts, add } = world({ position: '0', served: 1 });
  add('early', 'SubmissionConfirmed', '1');
  add('early', 'TokenCreated', '2');
  expect([drafts.unseen(), drafts.unrecorded()]).toEqual([['early'], []]);
  add('early', 'TokenCreationReverted', '3');
  expect(drafts.unrecorded()).toEqual(['early']);
  add('early', 'TokenCreated', '4');
  add('early', 'SubmissionFinalized', '5');
  add('late', 'SubmissionFinalized', '6');
  expect([drafts.unseen(), drafts.unrecorded()]).toEqual([['late'], ['late']]);
  add('late', 'LaunchStarted', '7');
  expect(drafts.unseen()).toEqual([]);
});

test('are the latest ten thousand, the oldest first', () => {
  const { drafts, add } = world({ position: '0', served: 1 });
  for (let number = 0; number < 10_001; number += 1) add(`draft ${number}`, 'SubmissionAccepted', '1');
  add('draft 1', 'SubmissionConfirmed', '2');
  const unseen = drafts.unseen();
  expect([unseen.length, unseen[0], unseen.at(-1)]).toEqual([10_000, 'draft 2', 'draft 1']);
});
