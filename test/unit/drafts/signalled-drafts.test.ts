// The latest drafts that the log spoke of, for as long as the read model of drafts does not go on.
import { expect, test } from 'vitest';
import { createSignalledDrafts } from '../../../src/drafts/signalled-drafts.ts';
import type { Projector } from '../../../src/kernel/runtime/projector.ts';
import { tokens } from '../../../src/projections/tokens.ts';
import { transactions } from '../../../src/projections/transactions.ts';

function world() {
  const at = { blocked: [] as readonly string[] };
  const projector = {
    status: () =>
      [tokens, transactions].map(({ name }, place) => ({
        name,
        position: String(place),
        ...(at.blocked.includes(name) ? { blockedBy: {} } : {}),
      })),
  } as unknown as Pick<Projector, 'status'>;
  return { at, drafts: createSignalledDrafts(projector) };
}

test('are told only while the read model of drafts is blocked, with the place at which it waits', () => {
  const { at, drafts } = world();
  drafts.add('one');
  drafts.add('two');
  expect([drafts.unseen(), drafts.blockedAfter()]).toEqual([[], undefined]);
  at.blocked = [tokens.name];
  expect([drafts.unseen(), drafts.blockedAfter()]).toEqual([[], undefined]);
  at.blocked = [tokens.name, transactions.name];
  expect([drafts.unseen(), drafts.blockedAfter()]).toEqual([['one', 'two'], '1']);
});

test('are the latest thousand, the oldest first', () => {
  const { at, drafts } = world();
  for (let number = 0; number < 1_001; number += 1) drafts.add(`draft ${number}`);
  drafts.add('draft 1');
  at.blocked = [transactions.name];
  expect([drafts.unseen().length, drafts.unseen()[0], drafts.unseen().at(-1)]).toEqual([
    1_000,
    'draft 2',
    'draft 1',
  ]);
});
