// What a writer changes in a collection's registration, without a server.
import { describe, expect, test } from 'vitest';
import type { Registered, StoredGeneration } from '../../../../src/adapters/mongodb/layout.ts';
import {
  addedGeneration,
  emptiedGeneration,
  finishedCommit,
  firstRegistration,
  goneLive,
  includes,
  intendedChunk,
  withdrawnVersion,
} from '../../../../src/adapters/mongodb/registration-changes.ts';
import { NewerVersionLive } from '../../../../src/kernel/ports/shared-read-model.ts';

function entry(version: number, generation: number, fill: number, more: Partial<StoredGeneration> = {}) {
  return { version, generation, fill, shape: '{}', checkpoint: null, next: 0, ...more };
}

const first = entry(1, 1, 1, { checkpoint: '5', next: 9 });
const second = entry(2, 1, 2, { checkpoint: '3', next: 4 });
const registered: Registered = {
  ...firstRegistration('tokens', { term: 3, writer: 'w' }),
  seq: 8,
  fills: 2,
  generations: [first, second],
  live: { version: 1, generation: 1 },
};

describe('a new generation', () => {
  test('is the first of a version that has none, and takes a filling that no other had', () => {
    const { entry: added, fields } = addedGeneration(registered, { name: 'tokens', version: 3 });
    expect(added).toMatchObject({ version: 3, generation: 1, fill: 3, checkpoint: null, next: 0 });
    expect(fields).toEqual({ fills: 3, generations: [first, second, added] });
  });

  test('follows the latest of its version, wherever that is registered', () => {
    const later = entry(2, 4, 7);
    const { entry: added } = addedGeneration(
      { fills: 9, generations: [later, second] },
      { name: 'tokens', version: 2 },
    );
    expect(added).toMatchObject({ version: 2, generation: 5, fill: 10 });
  });
});

describe('an emptied generation', () => {
  test('takes another filling, without a checkpoint and from the first ordinal, and others stay', () => {
    const { entry: emptied, fields } = emptiedGeneration(registered, second);
    expect(emptied).toEqual({ ...second, fill: 3, checkpoint: null, next: 0 });
    expect(fields).toEqual({ fills: 3, generations: [first, emptied], live: registered.live });
  });

  test('is no longer read if it was live', () => {
    expect(emptiedGeneration(registered, first).fields.live).toBeNull();
  });
});

describe('a commit', () => {
  const rows = [{ k: 'a', n: 9, o: [] }];

  test('intends what it will write, with the ordinals that this takes', () => {
    expect(intendedChunk(registered, first, { pending: rows, next: 10 })).toEqual({
      pending: { fill: 1, rows },
      generations: [{ ...first, next: 10 }, second],
    });
  });

  test('ends by moving the checkpoint and taking the intent out, in one change', () => {
    expect(finishedCommit({ ...registered, pending: { fill: 1, rows } }, first, '6')).toEqual({
      pending: null,
      generations: [{ ...first, checkpoint: '6' }, second],
    });
  });

  test.each(['4', '5', undefined])('never moves the checkpoint 5 to %s', (checkpoint) => {
    expect(finishedCommit(registered, first, checkpoint)).toBeUndefined();
    expect(finishedCommit({ ...registered, pending: { fill: 1, rows } }, first, checkpoint)).toEqual({
      pending: null,
    });
  });

  test('sets the first checkpoint', () => {
    const fresh = entry(1, 1, 1);
    expect(finishedCommit({ generations: [fresh], pending: null }, fresh, '1')).toEqual({
      generations: [{ ...fresh, checkpoint: '1' }],
    });
  });
});

describe('what is live', () => {
  test('is the generation that goes live, and all others are retired', () => {
    expect(goneLive(registered, second)).toEqual({
      fields: { generations: [second], live: { version: 2, generation: 1 } },
      retired: [first],
    });
  });

  test('stays when it is the only generation already', () => {
    expect(goneLive({ ...registered, generations: [first] }, first)).toBeUndefined();
  });

  test('retires what an interrupted start left beside it', () => {
    expect(goneLive(registered, first)?.retired).toEqual([second]);
  });

  test('is not replaced, nor withdrawn, by an older version', () => {
    const newer = { ...registered, live: { version: 2, generation: 1 } };
    expect(() => goneLive(newer, first)).toThrow(NewerVersionLive);
    expect(() => withdrawnVersion(newer, 1)).toThrow(NewerVersionLive);
    expect(withdrawnVersion(newer, 2)).toEqual({ live: null });
  });

  test('is withdrawn once', () => {
    expect(withdrawnVersion({ ...registered, live: null }, 1)).toBeUndefined();
  });
});

describe('a registration that was read', () => {
  test('has what was acknowledged, if it is that or a later one', () => {
    expect(includes(registered, registered)).toBe(true);
    const later = { ...registered, seq: 9, generations: [{ ...first, checkpoint: '6' }] };
    expect(includes(later, registered)).toBe(true);
  });

  test('lacks it if there is none, or an earlier one, or a checkpoint is gone', () => {
    expect(includes(undefined, registered)).toBe(false);
    expect(includes({ ...registered, seq: 7 }, registered)).toBe(false);
    for (const checkpoint of ['4', null]) {
      const moved = { ...registered, seq: 9, generations: [{ ...first, checkpoint }, second] };
      expect(includes(moved, registered)).toBe(false);
    }
  });
});
