import { describe, expect, test } from 'vitest';
import { entryChanges, listMoves, rowChanges } from '../../../../src/adapters/sqlite/collection-changes.ts';
import type { Collection } from '../../../../src/kernel/ports/read-model.ts';

const shape = { terms: true, indexes: ['creator'], lists: ['all'], views: [] };
const definition: Collection = {
  name: 'tokens',
  version: 1,
  indexes: { creator: (document) => [String(document.creator)] },
  lists: { all: (document) => (document.isListed === true ? String(document.creator) : undefined) },
  terms: (document) => [String(document.symbol)],
};
const document = (creator: string, isListed = true) => ({ creator, isListed, symbol: 'LEVY' });
const ann = document('ann');
const bob = document('bob');
const change = (key: string, position: string, after: typeof ann | undefined) => ({
  key,
  position,
  document: after,
});

describe('the rows that changes write', () => {
  test('new keys get the next ordinals in their order', () => {
    const { rows } = rowChanges([change('a', '1', ann), change('b', '2', bob)], new Map(), 7);
    expect(rows).toEqual([
      { key: 'a', ordinal: 7, isNew: true, position: '1', document: ann, before: undefined },
      { key: 'b', ordinal: 8, isNew: true, position: '2', document: bob, before: undefined },
    ]);
  });

  test('a key that changes twice is one row with the last state, and two steps for the lists', () => {
    const { rows, steps } = rowChanges([change('a', '1', ann), change('a', '2', bob)], new Map(), 1);
    expect(rows).toEqual([
      { key: 'a', ordinal: 1, isNew: true, position: '2', document: bob, before: undefined },
    ]);
    expect(steps).toEqual([
      { ordinal: 1, isNew: true, before: undefined, after: ann },
      { ordinal: 1, isNew: false, before: ann, after: bob },
    ]);
  });

  test('a row of the table keeps its ordinal, and its document is what the entries are compared with', () => {
    const found = new Map([['a', { ordinal: 3, position: '1', document: ann }]]);
    const { rows, steps } = rowChanges([change('a', '2', undefined), change('b', '3', bob)], found, 9);
    expect(rows).toEqual([
      { key: 'a', ordinal: 3, isNew: false, position: '2', document: undefined, before: ann },
      { key: 'b', ordinal: 9, isNew: true, position: '3', document: bob, before: undefined },
    ]);
    expect(steps[0]).toEqual({ ordinal: 3, isNew: false, before: ann, after: undefined });
  });

  test('a row that changes twice leaves the list that the first change entered', () => {
    const found = new Map([['a', { ordinal: 3, position: '1', document: ann }]]);
    const { rows, steps } = rowChanges([change('a', '2', bob), change('a', '3', undefined)], found, 9);
    expect(rows.map(({ before, document: after }) => [before, after])).toEqual([[ann, undefined]]);
    expect(steps.map(({ before, after }) => [before, after])).toEqual([
      [ann, bob],
      [bob, undefined],
    ]);
  });

  test('a change that is not newer than the row, or than an earlier change, is skipped', () => {
    const found = new Map([['a', { ordinal: 3, position: '5', document: ann }]]);
    const { rows, steps } = rowChanges(
      [change('a', '5', bob), change('b', '6', ann), change('b', '6', bob)],
      found,
      9,
    );
    expect(rows.map(({ key, document: after }) => [key, after])).toEqual([['b', ann]]);
    expect(steps).toHaveLength(1);
  });
});

describe('the entries of a document', () => {
  test('a new document gets them all, terms first', () => {
    expect(entryChanges(shape, definition, undefined, ann)).toEqual([
      { removed: [], added: ['levy'] },
      { removed: [], added: ['ann'] },
    ]);
  });

  test('a change touches only what differs', () => {
    expect(entryChanges(shape, definition, ann, bob)).toEqual([
      { removed: [], added: [] },
      { removed: ['ann'], added: ['bob'] },
    ]);
  });

  test('a removed document loses them all', () => {
    expect(entryChanges(shape, definition, ann, undefined)).toEqual([
      { removed: ['levy'], added: [] },
      { removed: ['ann'], added: [] },
    ]);
  });
});

describe('the entries of a document in an order', () => {
  const ordered = { ...shape, orders: ['paid'] };
  const byPaid = (paid: string): Collection => ({
    ...definition,
    orders: { paid: ({ creator }) => ({ values: [String(creator), ''], place: paid }) },
  });

  test('come after those of the indexes: each value with the place, and only what differs', () => {
    const [, , added] = entryChanges(ordered, byPaid('7'), undefined, ann);
    expect(added).toEqual({ removed: [], added: ['3:ann7', '0:7'] });
    const [, , changed] = entryChanges(ordered, byPaid('7'), ann, bob);
    expect(changed).toEqual({ removed: ['3:ann7'], added: ['3:bob7'] });
  });

  test('are none where the definition, or what is stored, has no such order', () => {
    expect(entryChanges(ordered, definition, undefined, ann)[2]).toEqual({ removed: [], added: [] });
    expect(entryChanges(shape, byPaid('7'), undefined, ann)).toHaveLength(2);
  });
});

describe('the lists of a document', () => {
  test('a new document enters its partition', () => {
    expect(listMoves(shape, definition, undefined, ann)).toEqual([
      { list: 'all', left: undefined, entered: 'ann' },
    ]);
  });

  test('a document that changes its partition leaves the old one', () => {
    expect(listMoves(shape, definition, ann, bob)).toEqual([{ list: 'all', left: 'ann', entered: 'bob' }]);
  });

  test('a document that stays in its partition, or outside, does not move', () => {
    expect(listMoves(shape, definition, ann, document('ann'))).toEqual([]);
    expect(listMoves(shape, definition, document('ann', false), undefined)).toEqual([]);
  });

  test('a document that is no longer listed, or is removed, leaves', () => {
    const left = [{ list: 'all', left: 'ann', entered: undefined }];
    expect(listMoves(shape, definition, ann, document('ann', false))).toEqual(left);
    expect(listMoves(shape, definition, ann, undefined)).toEqual(left);
  });
});
