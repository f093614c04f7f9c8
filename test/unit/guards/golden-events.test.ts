/**
 * Every event that was ever recorded stays readable, and what is recorded cannot change its form without a version of its
 * own. test/golden has examples and a hash of the schema for each version of each type. They are added, never changed.
 */
import { Value } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import type { DomainEvent, StreamDefinition } from '../../../src/kernel/runtime/define-stream.ts';
import { projections } from '../../../src/projections/index.ts';
import { streams } from '../../../src/streams/index.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';
import {
  decoded,
  examplesFile,
  examplesOf,
  goldenFiles,
  HASHES,
  isThere,
  knownHashes,
  nameOf,
  schemaHash,
  storedVersions,
} from '../../support/golden-files.ts';

const { schemas } = knownHashes();

/** The definition with its state, of which the registry knows only the schemas. */
function streamOf(stream: string): StreamDefinition<unknown, DomainEvent> {
  const found = streams.find(({ category }) => stream.startsWith(`${category}-`));
  if (found === undefined) throw new Error(`there is no stream "${stream}"`);
  return found as unknown as StreamDefinition<unknown, DomainEvent>;
}

test('every version under which events are stored has golden examples and the hash of its schema', () => {
  const missing = storedVersions.filter(
    (version) => !isThere(examplesFile(version)) || schemas[nameOf(version)] === undefined,
  );
  expect(
    missing.map(nameOf),
    '`npm run golden` adds what is missing in test/golden; where a schema has no examples of its own, write the file by hand',
  ).toEqual([]);
});

test('every upcast has golden examples of the version that it reads', () => {
  const upcasts = streams.flatMap(({ upcasts }) =>
    Object.entries(upcasts).flatMap(([type, steps]) =>
      Object.keys(steps).map((version) => examplesFile({ type, version: Number(version) })),
    ),
  );
  expect(upcasts.filter((path) => !isThere(path))).toEqual([]);
});

test('nothing is kept of a version that nobody reads', () => {
  const files = storedVersions.map(examplesFile);
  const orphaned = goldenFiles().filter((path) => path.startsWith('events/') && !files.includes(path));
  expect(orphaned, 'a type that was once recorded needs an upcast for ever').toEqual([]);
  expect(Object.keys(schemas).filter((name) => !storedVersions.map(nameOf).includes(name))).toEqual([]);
});

describe.each(
  storedVersions.map((version) => [`${version.type} ${version.version}`, version] as const),
)('%s', (_name, version) => {
  const { category, type, schema } = version;
  const examples = examplesOf(version);

  if (schema !== undefined) {
    test('has the schema under which it was first recorded', () => {
      expect(
        schemaHash(schema),
        `${type} would be recorded in another form than version ${version.version} of it, whose hash ${HASHES} keeps. ` +
          `Leave it as it is; give the stream "${category}" versions: { ${type}: ${version.version + 1} }, with an ` +
          `upcast from ${version.version} unless all older data fit the new schema; then run \`npm run golden\`.`,
      ).toBe(schemas[nameOf(version)]);
    });
  }

  test('has examples of its own type and version, which fit its schema', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { stream, type: own, data, metadata } of examples) {
      expect(stream.startsWith(`${category}-`)).toBe(true);
      expect([own, metadata.schemaVersion]).toEqual([type, version.version]);
      if (schema !== undefined) expect([...Value.Errors(schema, data)]).toEqual([]);
    }
  });

  test('is read as events of today', () => {
    for (const event of decoded(examples))
      expect(Object.keys(streamOf(event.stream).events)).toContain(event.type);
  });

  test('changes the state of its stream, whatever was before, without a fault', () => {
    for (const event of decoded(examples)) {
      const { initial, evolve } = streamOf(event.stream);
      const once = evolve(deepFreeze(initial), event);
      expect(() => evolve(deepFreeze(once), event)).not.toThrow();
    }
  });

  test('is projected without a fault, with a document before it or none', () => {
    const handled = decoded(examples).flatMap((event) =>
      projections.flatMap(({ on }) => {
        const handler = on[event.type];
        return handler === undefined ? [] : [{ handler, event }];
      }),
    );
    const keyless = handled.filter(({ handler, event }) => {
      const once = handler.apply(undefined, event);
      handler.apply(deepFreeze(once), event);
      return handler.key(event) === undefined;
    });
    expect(keyless).toEqual([]);
  });
});
