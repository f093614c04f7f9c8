// A checkpoint that comes after its changes is written with them, and nothing else is joined.
import { expect, test } from 'vitest';
import type { CommitPart } from '../../../../src/adapters/mongodb/commit-part.ts';
import { partsByCollection } from '../../../../src/adapters/mongodb/joined-parts.ts';

const change = {
  key: 'a',
  position: '1',
  text: '{}',
  views: {},
  values: [],
  orders: {},
  terms: [],
  partitions: new Map(),
  bytes: 1,
};

function part(more: Partial<CommitPart> = {}): CommitPart {
  return {
    collection: { name: 'tokens', version: 1 },
    generation: undefined,
    changes: [],
    checkpoint: undefined,
    ...more,
  };
}

const joined = (...parts: readonly CommitPart[]) => [...partsByCollection(parts).values()];

test('changes and the checkpoint after them are one part', () => {
  expect(joined(part({ changes: [change] }), part({ checkpoint: '1' }))).toEqual([
    [part({ changes: [change], checkpoint: '1' })],
  ]);
});

test('of two checkpoints the later one counts, whichever comes first', () => {
  expect(joined(part({ checkpoint: '2' }), part({ checkpoint: '1' }))).toEqual([[part({ checkpoint: '2' })]]);
  expect(joined(part({ checkpoint: '1' }), part({ checkpoint: '2' }))).toEqual([[part({ checkpoint: '2' })]]);
});

test('changes that come later stay behind the checkpoint before them', () => {
  const parts = [part({ checkpoint: '1' }), part({ changes: [change] })];
  expect(joined(...parts)).toEqual([parts]);
});

test.each([
  ['another version', { collection: { name: 'tokens', version: 2 } }],
  ['another generation', { generation: { version: 1, generation: 2 } }],
])('a checkpoint of %s is a part by itself', (_what, more) => {
  const parts = [part({ changes: [change] }), part({ ...more, checkpoint: '1' })];
  expect(joined(...parts)).toEqual([parts]);
});

test('each collection has its own parts', () => {
  const other = part({ collection: { name: 'runs', version: 1 }, checkpoint: '1' });
  expect([...partsByCollection([part({ changes: [change] }), other])]).toEqual([
    ['tokens', [part({ changes: [change] })]],
    ['runs', [other]],
  ]);
});
