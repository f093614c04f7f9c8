/**
 * Recorded events cannot change their shape unnoticed. test/golden has examples and a hash of the schema of each type.
 */
import { Value } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import type { DomainEvent, StreamDefinition } from '../../../src/kernel/runtime/define-stream.ts';
import { SCHEMA_VERSION } from '../../../src/kernel/runtime/event-codec.ts';
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
  storedTypes,
} from '../../support/golden-files.ts';

const { schemas } = knownHashes();

/** The definition with its state, of which the registry knows only the schemas. */
function streamOf(stream: string): StreamDefinition<unknown, DomainEvent> {
  const found = streams.find(({ category }) => stream.startsWith(`${category}-`));
  if (found === undefined) throw new Error(`there is no stream "${stream}"`);
  return found as unknown as StreamDefinition<unknown, DomainEvent>;
}

test('every type has golden examples and the hash of its schema', () => {
  const missing = storedTypes.filter(
    (stored) => !isThere(examplesFile(stored)) || schemas[nameOf(stored)] === undefined,
  );
  expect(
    missing.map(nameOf),
    '`npm run golden` adds what is missing in test/golden; where a schema has no examples of its own, write the file by hand',
  ).toEqual([]);
});

test('nothing is kept of a type that nobody reads', () => {
  const files = storedTypes.map(examplesFile);
  const orphaned = goldenFiles().filter((path) => path.startsWith('events/') && !files.includes(path));
  expect(orphaned).toEqual([]);
  expect(Object.keys(schemas).filter((name) => !storedTypes.map(nameOf).includes(name))).toEqual([]);
});

describe.each(storedTypes)('$type', (stored) => {
  const { category, type, schema } = stored;
  const examples = examplesOf(stored);

  test('has the schema under which it was first recorded', () => {
    expect(
      schemaHash(schema),
      `${type} would be recorded in another form. If that is meant, raise FORMAT (not for a new optional member), remove its line from ${HASHES} and run \`npm run golden\`.`,
    ).toBe(schemas[nameOf(stored)]);
  });

  test('has examples of its own type, which fit its schema', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { stream, type: own, data, metadata } of examples) {
      expect(stream.startsWith(`${category}-`)).toBe(true);
      expect([own, metadata.schemaVersion]).toEqual([type, SCHEMA_VERSION]);
      expect([...Value.Errors(schema, data)]).toEqual([]);
    }
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
