/**
 * A read model cannot change its form without a version of its own: documents that were made before would stay as they
 * are. test/golden/collections has the shape of each version, made of the golden events. Files are added, never changed.
 */
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/kernel/ports/event-store.ts';
import type { Projection } from '../../../src/kernel/runtime/define-projection.ts';
import { projections } from '../../../src/projections/index.ts';
import {
  type CollectionShape,
  foldedExamples,
  goldenFiles,
  isThere,
  readGolden,
  shapeFile,
  shapeOfCollection,
} from '../../support/golden-files.ts';

const raise = (projection: Projection) =>
  `"${projection.name}" differs from version ${projection.version} of it, which ${shapeFile(projection)} keeps. ` +
  'Leave that file as it is, raise the projection’s version and run `npm run golden`.';

test('every collection has the shape of its version', () => {
  const missing = projections.map(shapeFile).filter((path) => !isThere(path));
  expect(missing, '`npm run golden` adds them to test/golden').toEqual([]);
});

test('no collection is at an older version than one whose shape is kept', () => {
  const later = projections.flatMap(({ name, version }) =>
    goldenFiles().filter(
      (path) => Number(path.match(`^collections/${name}\\.(\\d+)\\.json$`)?.[1]) > version,
    ),
  );
  expect(later).toEqual([]);
});

describe.each(
  projections.map((projection) => [projection.name, projection] as const),
)('%s', (_name, projection) => {
  const known = () => readGolden<JsonValue>(shapeFile(projection)) as unknown as CollectionShape;

  test('has the documents, views, indexes and lists of its version', () => {
    expect(shapeOfCollection(projection, known().events), raise(projection)).toEqual(known());
  });

  test('has been looked at with every golden event that it folds', () => {
    expect(foldedExamples(projection), '`npm run golden` takes in the golden events that are new').toEqual(
      known().events,
    );
  });
});
