/**
 * A read model cannot change its form without a version of its own: documents that were made before would stay as they
 * are. test/golden/collections has the shape of each version, made of the golden events. Files are added, never changed.
 */
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/kernel/ports/event-store.ts';
import type { Projection } from '../../../src/kernel/runtime/define-projection.ts';
import { projections } from '../../../src/projections/index.ts';
import type { DocumentShape } from '../../support/document-shape.ts';
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

  test('understands the documents of every older version, which are read until it is built', () => {
    const older = Array.from({ length: projection.version - 1 }, (_, index) => 1 + index);
    const missed = older.flatMap((each) => {
      const path = shapeFile({ ...projection, version: each });
      if (!isThere(path)) return [];
      const { document } = readGolden<JsonValue>(path) as unknown as CollectionShape;
      return notUnderstood(document, known().document).map((member) => `${member} of version ${each}`);
    });
    expect(missed, 'these members have to be optional').toEqual([]);
  });

  test('has been looked at with every golden event that it folds', () => {
    expect(foldedExamples(projection), '`npm run golden` takes in the golden events that are new').toEqual(
      known().events,
    );
  });
});

/** The members that readers of today's documents would miss in the older ones, or find of a type that they do not know. */
function notUnderstood(older: DocumentShape, today: DocumentShape): readonly string[] {
  const isIn = (shape: DocumentShape, path: string) =>
    shape[path] !== undefined || shape[`${path}?`] !== undefined;
  return Object.entries(today).flatMap(([path, types]) => {
    // A member of an object that may be absent, and that no older document has, is missed by nobody.
    const holders = [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index));
    if (holders.some((holder) => today[`${holder}?`] !== undefined && !isIn(older, holder))) return [];
    const bare = path.replace(/\?$/, '');
    const found = older[bare] ?? older[`${bare}?`];
    const mayBeAbsent = bare !== path;
    if (found === undefined) return mayBeAbsent ? [] : [path];
    if (!mayBeAbsent && older[bare] === undefined) return [path];
    const known = types.split(' | ');
    return found.split(' | ').every((type) => known.includes(type)) ? [] : [path];
  });
}
