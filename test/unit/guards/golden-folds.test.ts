/**
 * A stream's state, or a read model's documents, cannot change without a version of their own: what was made before would stay as
 * it is. test/golden/hashes.json has, for each version, a hash of what the golden events are folded into.
 */
import { Value } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import { projections } from '../../../src/projections/index.ts';
import {
  collectionHash,
  collectionName,
  type FoldHash,
  HASHES,
  knownHashes,
  projectionExamples,
  snapshotHash,
  snapshotName,
  snapshottedStreams,
  statesOf,
} from '../../support/golden-files.ts';

const { snapshots, collections } = knownHashes();

test('every version has its hash, and no other', () => {
  const names = [Object.keys(snapshots).sort(), Object.keys(collections).sort()];
  expect(names, '`npm run golden` adds and removes them').toEqual([
    snapshottedStreams.map(snapshotName).sort(),
    projections.map(collectionName).sort(),
  ]);
});

const folds: readonly (readonly [string, FoldHash | undefined, (known?: FoldHash) => FoldHash])[] = [
  ...snapshottedStreams.map((stream) => {
    const name = snapshotName(stream);
    return [name, snapshots[name], (known?: FoldHash) => snapshotHash(stream, known?.events)] as const;
  }),
  ...projections.map((projection) => {
    const name = collectionName(projection);
    return [
      name,
      collections[name],
      (known?: FoldHash) => collectionHash(projection, known?.events),
    ] as const;
  }),
];

test.each(folds)('%s makes of its events what its version made of them', (name, known, hashed) => {
  const advice = `leave ${HASHES} as it is, raise the version of ${name} and run \`npm run golden\``;
  expect(hashed(known), advice).toEqual(known);
});

test.each(projections)('$name was hashed with every golden event that it folds', (projection) => {
  expect(projectionExamples(projection), '`npm run golden` takes in the golden events that are new').toEqual(
    collections[collectionName(projection)]?.events,
  );
});

describe.each(snapshottedStreams)('$category', (stream) => {
  test('has states that fit their schema, and go on from JSON as they are', () => {
    const schema = stream.snapshots?.state;
    if (schema === undefined) throw new Error('it has snapshots');
    const states = statesOf(stream).filter((state) => state !== null);
    expect(states.length).toBeGreaterThan(0);
    for (const state of states) expect([...Value.Errors(schema, state)]).toEqual([]);
  });
});
