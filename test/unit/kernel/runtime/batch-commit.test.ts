// What is written after a batch: what changed, what the log was last seen to hold, and the checkpoints that save work.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import type { CollectionCommit } from '../../../../src/kernel/ports/read-model.ts';
import { batchCommits, positionAfter } from '../../../../src/kernel/runtime/batch-commit.ts';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';

const projectionOf = (name: string): Projection => ({ name, version: 1, on: {} });
const generation = { version: 1, generation: 1 };

const target = (name: string, more: { readonly position?: string } = {}) => ({
  projection: projectionOf(name),
  generation,
  position: '3',
  ...more,
});
type Member = ReturnType<typeof target>;

function event(position: string): RecordedEvent {
  const id = `event at ${position}`;
  return { id, stream: 'counter-a', revision: 0, position, type: 'Counted', data: {}, metadata: {} };
}

/** Each target's documents after the batch: with one document changed, or with none. */
const commitOf = ({ projection: collection }: Member, changes = 1): CollectionCommit => ({
  collection,
  generation,
  changes: Array.from({ length: changes }, () => ({ key: 'a', position: '5', document: {} })),
});

function written(targets: readonly Member[], changes = 1, passed = [event('4'), event('5')]) {
  return batchCommits(targets, passed, (one) => commitOf(one, changes)).map(
    ({ collection, changes: made, checkpoint }) =>
      [collection.name, made.length, checkpoint].filter((part) => part !== undefined),
  );
}

describe('a batch is written', () => {
  test('with all documents before all checkpoints, and with the event that the log was last seen to hold', () => {
    expect(written([target('one'), target('other')])).toEqual([
      ['source_log', 1],
      ['one', 1],
      ['other', 1],
      ['one', 0, '5'],
      ['other', 0, '5'],
    ]);
  });

  test('with the checkpoint of a target that it does not touch, for which another process may wait', () => {
    expect(written([target('one')], 0).at(-1)).toEqual(['one', 0, '5']);
  });

  test('without what a target could not fold', () => {
    const commits = batchCommits([target('one')], [event('5')], () => undefined);
    expect(commits.map(({ changes }) => changes.length)).toEqual([1, 0]);
  });

  test('with no checkpoint that goes back, of a target that was ahead of the others', () => {
    expect(written([target('ahead', { position: '8' })]).at(-1)).toEqual(['ahead', 0, '8']);
  });

  test('with nothing of the log when the first event already cannot be decoded', () => {
    expect(written([target('one')], 0, [])).toEqual([
      ['one', 0],
      ['one', 0, '3'],
    ]);
  });
});

test.each([
  ['moves to the last event', '3', ['4', '5', '6'], '6'],
  ['stays where it is ahead', '8', ['4', '5'], '8'],
  ['stays when nothing was passed', '3', [], '3'],
])('a target %s', (_name, position, passed, expected) => {
  expect(positionAfter({ position }, passed.map(event))).toBe(expected);
});
