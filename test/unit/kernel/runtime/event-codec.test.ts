// The codec lets nothing into the log, and nothing out of it, that is not what a schema says.
import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { categoryOf } from '../../../../src/kernel/ports/append-rules.ts';
import type { JsonObject, RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { defineStream, type Upcasts } from '../../../../src/kernel/runtime/define-stream.ts';
import { createEventCodec, EventShapeError, idOf } from '../../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { Counted, counter } from '../../../support/counter.ts';

/**
 * Cups were once filled by a number of spoons, under another name, which later told their size as well; then by grams as
 * text. What they are filled with has been added since.
 */
const cup = defineStream({
  category: 'cup',
  events: {
    Filled: Type.Object({ grams: Type.Integer(), with: Type.Optional(Type.String()) }),
    Counted: Type.Object({ spoons: Type.String() }),
  },
  versions: { Filled: 3 },
  upcasts: {
    SpoonsFilled: {
      1: { data: (data) => ({ ...data, size: 5 }) },
      2: {
        becomes: { type: 'Filled', version: 1 },
        data: ({ spoons, size }) => ({ grams: String(Number(spoons) * Number(size)) }),
      },
    },
    Spilled: { 1: { becomes: { type: 'Filled', version: 3 }, data: () => ({ grams: 'none' }) } },
    Filled: { 1: { data: ({ grams }) => ({ grams: Number(grams) }) } },
  },
  initial: 0,
  evolve: (grams, event) => (event.type === 'Filled' ? grams + event.data.grams : grams),
});

const codec = createEventCodec([counter, cup]);

const metadata = {
  commandId: randomId(),
  inputHash: 'hash',
  correlationId: 'request',
  causationId: 'cause',
  actor: 'somebody',
  occurredAt: '2026-05-04T10:00:00.000Z',
};

function stored(stream: string, type: string, data: JsonObject, changed: JsonObject = {}): RecordedEvent {
  return {
    id: randomId(),
    type,
    data,
    metadata: { ...metadata, schemaVersion: 1, ...changed },
    stream,
    revision: 7,
    position: '00000000000000000042',
  };
}

describe('encoding', () => {
  test('gives the event under its id, with the metadata and the version of their schema', () => {
    const id = randomId();
    expect(codec.encode('counter', id, Counted({ by: 2 }), metadata)).toEqual({
      id,
      type: 'Counted',
      data: { by: 2 },
      metadata: { ...metadata, schemaVersion: 1 },
    });
  });

  test('names the version of the schema as it is today', () => {
    const encoded = codec.encode('cup', randomId(), { type: 'Filled', data: { grams: 1 } }, metadata);
    expect(encoded.metadata).toEqual({ ...metadata, schemaVersion: 3 });
  });

  test.each([
    ['a value out of bounds', { by: 0 }],
    ['a missing field', {}],
    ['a value of another type', { by: '2' }],
  ])('refuses %s, and names the event', (_what, data) => {
    const encode = () => codec.encode('counter', randomId(), { type: 'Counted', data }, metadata);
    expect(encode).toThrow(EventShapeError);
    expect(encode).toThrow(/^Counted.*by/);
  });

  test('refuses an event that its stream does not have, though another may', () => {
    expect(() =>
      codec.encode('counter', randomId(), { type: 'Filled', data: { grams: 1 } }, metadata),
    ).toThrow('the stream "counter" has no event "Filled"');
    expect(() => codec.encode('saucer', randomId(), Counted({ by: 1 }), metadata)).toThrow(EventShapeError);
  });
});

describe('decoding', () => {
  test('gives back what was encoded, and where it stands', () => {
    const encoded = codec.encode('counter', randomId(), Counted({ by: 2, note: 'ü' }), metadata);
    const event = { ...encoded, stream: 'counter-a', revision: 7, position: '42' };
    expect(codec.decode(JSON.parse(JSON.stringify(event)))).toEqual({
      type: 'Counted',
      data: { by: 2, note: 'ü' },
      eventId: encoded.id,
      stream: 'counter-a',
      revision: 7,
      position: '42',
      metadata: { ...metadata, schemaVersion: 1 },
    });
  });

  test('gives back the trace that an event belongs to, where it belongs to one', () => {
    const traced = { ...metadata, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const encoded = codec.encode('counter', randomId(), Counted({ by: 2 }), traced);
    const event = { ...encoded, stream: 'counter-a', revision: 7, position: '42' };
    expect(codec.decode(event).metadata).toEqual({ ...traced, schemaVersion: 1 });
  });

  test('refuses stored data that are not what the schema says', () => {
    expect(() => codec.decode(stored('counter-a', 'Counted', { by: -1 }))).toThrow(EventShapeError);
    expect(() => codec.decode(stored('counter-a', 'Counted', { by: null }))).toThrow(/Counted\/by/);
  });

  test('refuses a type that nobody explains, rather than to pass it over', () => {
    expect(() => codec.decode(stored('counter-a', 'Forgotten', {}))).toThrow(EventShapeError);
    expect(() => codec.decode(stored('saucer-a', 'Counted', { by: 1 }))).toThrow(EventShapeError);
  });

  test.each([
    ['commandId', 'short'],
    ['actor', ''],
    ['schemaVersion', 0],
    ['occurredAt', 1],
    ['traceparent', 'x'.repeat(65)],
  ])('refuses metadata whose %s is %j', (field, value) => {
    expect(() => codec.decode(stored('counter-a', 'Counted', { by: 1 }, { [field]: value }))).toThrow(
      /metadata/,
    );
  });

  test('keeps equal names of different streams apart', () => {
    expect(codec.decode(stored('cup-a', 'Counted', { spoons: 'two' })).data).toEqual({ spoons: 'two' });
    expect(() => codec.decode(stored('cup-a', 'Counted', { by: 1 }))).toThrow(EventShapeError);
  });
});

describe('an upcast', () => {
  const read = (type: string, schemaVersion: number, data: JsonObject) =>
    codec.decode(stored('cup-a', type, data, { schemaVersion }));

  test('turns what was stored under an old name into an event of today, version by version', () => {
    const event = read('SpoonsFilled', 1, { spoons: 3 });
    expect({ type: event.type, data: event.data }).toEqual({ type: 'Filled', data: { grams: 15 } });
    expect(event).toMatchObject({ stream: 'cup-a', revision: 7, metadata });
    expect(read('SpoonsFilled', 2, { spoons: 3, size: 4 }).data).toEqual({ grams: 12 });
  });

  test('is for its own version only, and what a later one wrote stays as it is', () => {
    expect(read('Filled', 1, { grams: '7' }).data).toEqual({ grams: 7 });
    expect(read('Filled', 2, { grams: 7 }).data).toEqual({ grams: 7 });
    expect(read('Filled', 3, { grams: 7, with: 'tea' }).data).toEqual({ grams: 7, with: 'tea' });
    expect(() => read('Filled', 2, { grams: '7' })).toThrow(/cup-a, revision 7: Filled\/grams/);
  });

  test('leaves the version that was recorded in the metadata', () => {
    expect(read('Filled', 1, { grams: '7' }).metadata.schemaVersion).toBe(1);
  });

  test.each([
    ['Filled', 4, 3],
    ['Counted', 2, 1],
    ['SpoonsFilled', 3, 2],
  ])('is none for a version from the future: %s %i', (type, version, known) => {
    const fault = `cup-a, revision 7: ${type} is of version ${version}, and this service knows its versions up to ${known}`;
    expect(() => read(type, version, { grams: 1, spoons: 'one' })).toThrow(fault);
    expect(() => read(type, version, { grams: 1, spoons: 'one' })).toThrow(EventShapeError);
  });

  test.each<[string, Upcasts]>([
    ['a version that there is none of', { Filled: { 3: { data: (data) => data } } }],
    [
      'a type that there is none of',
      { Old: { 1: { becomes: { type: 'New', version: 1 }, data: (data) => data } } },
    ],
    ['nothing, under a name of old', { Old: { 1: { data: (data) => data } } }],
  ])('that leads to %s is found out when the codec is made', (_what, upcasts) => {
    expect(() => createEventCodec([{ ...cup, upcasts }])).toThrow(
      /the upcast of "cup\/(Filled|Old)" .*there is none of/,
    );
  });

  test('counts for its own stream only', () => {
    expect(() => codec.decode(stored('counter-a', 'SpoonsFilled', { spoons: 3 }))).toThrow(EventShapeError);
  });

  test('that makes what is no event of today is refused', () => {
    expect(() => codec.decode(stored('cup-a', 'Spilled', {}))).toThrow(EventShapeError);
  });

  test('is for reading: nothing is recorded under an old name', () => {
    const old = { type: 'SpoonsFilled', data: { spoons: 3 } };
    expect(() => codec.encode('cup', randomId(), old, metadata)).toThrow(EventShapeError);
  });
});

test('a stream’s name is its category up to the first dash, and the id behind it', () => {
  expect([categoryOf('draft-a-b'), idOf('draft-a-b')]).toEqual(['draft', 'a-b']);
});
