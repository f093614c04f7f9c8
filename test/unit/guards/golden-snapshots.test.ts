/**
 * A stream's state cannot change without a version of its own: snapshots that were taken before would go on as they are.
 * test/golden/hashes.json has, for each version, a hash of the state's schema and of what becomes of the golden events.
 */
import { Value } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import {
  HASHES,
  knownHashes,
  snapshotHash,
  snapshotName,
  snapshottedStreams,
  statesOf,
  unreadFiles,
} from '../../support/golden-files.ts';

const { snapshots } = knownHashes();

test('every version of snapshots has its hash, and no other', () => {
  expect(Object.keys(snapshots).sort(), '`npm run golden` adds and removes them').toEqual(
    snapshottedStreams.map(snapshotName).sort(),
  );
});

test('no shape is kept that nothing reads any more', () => {
  expect(unreadFiles(), '`npm run golden` removes them').toEqual([]);
});

describe.each(
  snapshottedStreams.map((stream) => [snapshotName(stream), stream] as const),
)('%s', (name, stream) => {
  test('makes of its events what its version made of them', () => {
    const known = snapshots[name];
    expect(
      snapshotHash(stream, known?.events),
      `leave ${HASHES} as it is, raise the version of the snapshots and run \`npm run golden\``,
    ).toEqual(known);
  });

  test('has states that fit their schema, and go on from JSON as they are', () => {
    const schema = stream.snapshots?.state;
    if (schema === undefined) throw new Error('it has snapshots');
    const states = statesOf(stream).filter((state) => state !== null);
    expect(states.length).toBeGreaterThan(0);
    for (const state of states) expect([...Value.Errors(schema, state)]).toEqual([]);
  });
});
