/**
 * A read model cannot change its form without a version of its own: documents that were made before would stay as they
 * are. test/golden/collections has the shape of each version, made of the golden events. Files are added, never changed.
 */
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/kernel/ports/event-store.ts';
import type { Projection } from '../../../src/kernel/runtime/define-projection.ts';
import { projections } from '../../../src/projections/index.ts';
import { tokens } from '../../../src/projections/tokens.ts';
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

describe('documents of an older version', () => {
  const today = { name: 'string', 'note?': 'null | string', size: 'null | number' };

  test('are understood when all members are there, of types that are known', () => {
    expect(notUnderstood({ name: 'string', size: 'number', more: 'array' }, today)).toEqual([]);
  });

  test('are understood without an object that may be absent, whatever is in it', () => {
    const later = { ...today, 'more?': 'object', 'more.since': 'string', 'more.in.it': 'string' };
    expect(notUnderstood({ name: 'string', size: 'null' }, later)).toEqual([]);
    const some = { name: 'string', size: 'null', 'more?': 'object' };
    expect(notUnderstood(some, later)).toEqual(['more.since', 'more.in.it']);
  });

  test('are not without a member that is never absent today, nor with another type', () => {
    expect(notUnderstood({ name: 'string' }, today)).toEqual(['size']);
    expect(notUnderstood({ 'name?': 'string', size: 'null' }, today)).toEqual(['name']);
    expect(notUnderstood({ name: 'number', note: 'number', size: 'null' }, today)).toEqual(['name', 'note?']);
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

describe('the shape of a collection', () => {
  const { name } = tokens;
  const known = projections.find((projection) => projection.name === name);
  if (known === undefined) throw new Error('the tokens are projected');
  const shape = JSON.stringify(shapeOfCollection(known));
  const changed = (change: Partial<Projection>) => {
    return JSON.stringify(shapeOfCollection({ ...known, ...change }));
  };
  const created = known.on.TokenCreated;
  const applied = (also: object): Partial<Projection> => ({
    on: {
      ...known.on,
      TokenCreated: {
        key: (event) => created?.key(event),
        apply: (before, event) => ({ ...created?.apply(before, event), ...also }),
      },
    },
  });

  test('is the same for the same definition', () => expect(changed({})).toBe(shape));

  test.each<[string, Partial<Projection>]>([
    ['a member more', applied({ more: '' })],
    ['a member of another type', applied({ decimals: '9' })],
    ['a member that can be null', applied({ supply: null })],
    ['an index less', { indexes: {} }],
    ['a list less', { lists: {} }],
    ['a view that shows more', { views: { ...known.views, tax: (document) => ({ ...document }) } }],
    ['no terms', { terms: undefined }],
    ['an event less', { on: { TokenCreated: created } }],
  ])('is another with %s', (_what, change) => expect(changed(change)).not.toBe(shape));
});
