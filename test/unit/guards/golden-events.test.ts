/**
 * Every event that was ever recorded stays readable. test/golden has a file for each type under which events are, or
 * once were, stored: a list with one example of each shape. Examples are added, never changed.
 */
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/ports/event-store.ts';
import { projections } from '../../../src/projections/index.ts';
import type { DomainEvent, StreamDefinition } from '../../../src/runtime/define-stream.ts';
import { createEventCodec } from '../../../src/runtime/event-codec.ts';
import { randomId } from '../../../src/runtime/ids.ts';
import { streams } from '../../../src/streams/index.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';
import { filesBelow, textOf } from './source-files.ts';

interface Example {
  readonly stream: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

const codec = createEventCodec(streams);
const files = filesBelow('test/golden', '.json');
const pathOf = (type: string) => `test/golden/${type}.json`;
const storedTypes = streams.flatMap(({ events, upcasts }) => [
  ...Object.keys(events),
  ...Object.keys(upcasts),
]);

/** The definition with its state, of which the registry knows only the schemas. */
function streamOf(stream: string): StreamDefinition<unknown, DomainEvent> {
  const found = streams.find(({ category }) => stream.startsWith(`${category}-`));
  if (found === undefined) throw new Error(`there is no stream "${stream}"`);
  return found as unknown as StreamDefinition<unknown, DomainEvent>;
}

test('every type under which events are stored has golden examples', () => {
  const missing = storedTypes.filter((type) => !files.includes(pathOf(type)));
  expect(
    missing.map(pathOf),
    'add these files: a list of { stream, type, data, metadata } as the event store keeps them, one of each shape',
  ).toEqual([]);
});

test('no golden file is of a type that nobody reads any more', () => {
  const orphaned = files.filter((path) => !storedTypes.includes(basename(path, '.json')));
  expect(orphaned, 'a type that was once recorded needs an upcast for ever').toEqual([]);
});

describe.each(files)('%s', (path) => {
  const examples: readonly Example[] = deepFreeze(JSON.parse(textOf(path)));
  const decoded = () =>
    examples.map((example, index) =>
      codec.decode({
        ...example,
        id: randomId(),
        revision: index,
        position: String(index + 1).padStart(20, '0'),
      }),
    );

  test('has examples of its own type', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { type } of examples) expect(type).toBe(basename(path, '.json'));
  });

  test('is read as events of today', () => {
    for (const { type, stream } of decoded()) expect(Object.keys(streamOf(stream).events)).toContain(type);
  });

  test('changes the state of its stream, whatever was before, without a fault', () => {
    for (const event of decoded()) {
      const { initial, evolve } = streamOf(event.stream);
      const once = evolve(deepFreeze(initial), event);
      evolve(deepFreeze(once), event);
    }
  });

  test('is projected without a fault, with a document before it or none', () => {
    for (const event of decoded()) {
      for (const { on } of projections) {
        const handler = on[event.type];
        if (handler === undefined) continue;
        expect(handler.key(event)).toBeDefined();
        const once = handler.apply(undefined, event);
        handler.apply(deepFreeze(once), event);
      }
    }
  });
});
