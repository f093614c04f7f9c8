/**
 * A stream's state cannot change without a version of its own: snapshots that were taken before would go on as they are.
 * test/golden/snapshots has, for each version, the schema of the state and what becomes of the golden events. Files are
 * added, never changed.
 */
import { Value } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/kernel/ports/event-store.ts';
import {
  isThere,
  readGolden,
  type SnapshotShape,
  shapeOfSnapshot,
  snapshotFile,
  snapshottedStreams,
  unreadFiles,
} from '../../support/golden-files.ts';
import { schemaRulesOf } from '../../support/schema-rules.ts';

test('every stream with snapshots has the shape of its version', () => {
  const missing = snapshottedStreams.map(snapshotFile).filter((path) => !isThere(path));
  expect(missing, '`npm run golden` adds them to test/golden').toEqual([]);
});

test('no shape is kept that nothing reads any more', () => {
  expect(unreadFiles(), '`npm run golden` removes them').toEqual([]);
});

describe.each(
  snapshottedStreams.map((stream) => [stream.category, stream] as const),
)('%s', (_category, stream) => {
  const known = () => readGolden<JsonValue>(snapshotFile(stream)) as unknown as SnapshotShape;

  test('makes of its events what its version made of them', () => {
    const { examples } = known();
    const rulesOf = (shape: SnapshotShape) => ({ ...shape, schema: schemaRulesOf(shape.schema) });
    expect(
      rulesOf(shapeOfSnapshot(stream, examples)),
      `leave ${snapshotFile(stream)} as it is, raise the version of the snapshots and run \`npm run golden\``,
    ).toEqual(rulesOf(known()));
  });

  test('has states that fit their schema, and go on from JSON as they are', () => {
    const { examples } = known();
    const schema = stream.snapshots?.state;
    if (schema === undefined) throw new Error('it has snapshots');
    const states = shapeOfSnapshot(stream, examples).states.filter((state) => state !== null);
    expect(states.length).toBeGreaterThan(0);
    for (const state of states) expect([...Value.Errors(schema, state)]).toEqual([]);
  });
});
