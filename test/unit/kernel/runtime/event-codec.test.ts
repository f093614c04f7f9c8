// The codec lets nothing into the log, and nothing out of it, that is not what a schema says.
import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { categoryOf } from '../../../../src/kernel/ports/append-rules.ts';
import type { JsonObject, RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { defineStream } from '../../../../src/kernel/runtime/define-stream.ts';
import { createEventCodec, EventShapeError, idOf } from '../../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { Counted, counter } from '../../../support/counter.ts';

const cup = defineStream({
  category: 'cup',
  events: {
    Filled: Type.Object({ grams: Type.Integer() }),
    Counted: Type.Object({ spoons: Type.String() }),
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

  test('refuses a value out of bounds, and names the event', () => {
    const encode = () => codec.encode('counter', randomId(), Counted({ by: 0 }), metadata);
    expect(encode).toThrow(EventShapeError);
    expect(encode).toThrow(/^Counted.*by/);
  });

  test('refuses an event that its stream does not have, though another may', () => {
    expect(() =>
      codec.encode('counter', randomId(), { type: 'Filled', data: { grams: 1 } }, metadata),
    ).toThrow('the stream category "counter" has no event type "Filled"');
    expect(() => codec.encode('saucer', randomId(), Counted({ by: 1 }), metadata)).toThrow(EventShapeError);
  });
});

describe('decoding', () => {
  test('gives back what was encoded, with its trace, and where it stands', () => {
    const traced = { ...metadata, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const encoded = codec.encode('counter', randomId(), Counted({ by: 2, note: 'ü' }), traced);
    const event = { ...encoded, stream: 'counter-a', revision: 7, position: '42' };
    expect(codec.decode(JSON.parse(JSON.stringify(event)))).toEqual({
      type: 'Counted',
      data: { by: 2, note: 'ü' },
      eventId: encoded.id,
      stream: 'counter-a',
      revision: 7,
      position: '42',
      metadata: { ...traced, schemaVersion: 1 },
    });
  });

  test('refuses stored data that are not what the schema says', () => {
    expect(() => codec.decode(stored('counter-a', 'Counted', { by: -1 }))).toThrow(/Counted\/by/);
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

  test('refuses an event of a newer release, and says so', () => {
    const decode = () => codec.decode(stored('cup-a', 'Poured', {}, { schemaVersion: 2 }));
    expect(decode).toThrow(
      'cup-a, revision 7: Poured is of version 2, and this service supports versions up to 1',
    );
    expect(decode).toThrow(expect.objectContaining({ event: expect.objectContaining({ isNewer: true }) }));
  });

  test('keeps equal names of different streams apart', () => {
    expect(codec.decode(stored('cup-a', 'Counted', { spoons: 'two' })).data).toEqual({ spoons: 'two' });
    expect(() => codec.decode(stored('cup-a', 'Counted', { by: 1 }))).toThrow(EventShapeError);
  });
});

test('a stream’s name is its category up to the first dash, and the id behind it', () => {
  expect([categoryOf('draft-a-b'), idOf('draft-a-b')]).toEqual(['draft', 'a-b']);
});
