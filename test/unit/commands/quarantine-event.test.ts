// An operator may let every reader skip an event that no release can decode, and that the service can do without.
import { expect, test } from 'vitest';
import { quarantineEvent } from '../../../src/commands/quarantine-event.ts';
import { systemClock } from '../../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { EventQuarantined, QUARANTINE_ID, quarantine } from '../../../src/kernel/runtime/quarantine.ts';
import { streams } from '../../../src/streams/index.ts';
import { SERVICE_STREAM } from '../../../src/streams/service.ts';
import { commandSpec } from '../../support/command-spec.ts';
import { contextAfter } from '../../support/context-after.ts';
import { tokenCreated } from '../../support/domain-examples.ts';
import { readerOf } from '../../support/quarantining.ts';
import { happening, SCRIPT_METADATA, storedEvents } from '../../support/recorded-events.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

const codec = createEventCodec(streams);
const QUARANTINE_STREAM = `${quarantine.category}-${QUARANTINE_ID}`;
const nonsense = { type: 'Nonsense', data: {}, metadata: SCRIPT_METADATA };
const [created] = storedEvents([happening('a', tokenCreated)]);

/** Prepares the call for an event that stands in this stream. */
async function quarantining(stream: string, event: { type: string; data: object; metadata: object }) {
  const store = await temporaryEventStore();
  const eventId = randomId();
  await store.append(stream, 'none', [{ ...event, id: eventId } as never]);
  const executor = createExecutor(store, codec, systemClock);
  const prepared = quarantineEvent.prepare(
    { params: { eventId }, query: {}, body: { reason: 'A test.', stream, revision: 0 } } as never,
    {
      services: { executor, clock: systemClock, events: { reader: readerOf(store), codec, store } },
    } as never,
  );
  return { eventId, prepared };
}

test('an event that cannot be decoded is found where the operator says it is', async () => {
  const { eventId, prepared } = await quarantining('token-a', nonsense);
  await expect(prepared).resolves.toMatchObject({
    place: { eventId, stream: 'token-a', revision: 0, eventType: 'Nonsense' },
    reason: 'A test.',
  });
});

test.each([
  ['can be decoded', 'token-a', created, 'EVENT_DECODABLE'],
  [
    'a newer release can decode',
    'token-a',
    { ...nonsense, metadata: { ...SCRIPT_METADATA, schemaVersion: 9 }, type: 'TokenCreated' },
    'EVENT_OF_NEWER_VERSION',
  ],
  ['ties the log to its seed and its chain', SERVICE_STREAM, nonsense, 'EVENT_INDISPENSABLE'],
  ['records what is quarantined', QUARANTINE_STREAM, nonsense, 'EVENT_INDISPENSABLE'],
] as const)('one that %s is not skipped', async (_what, stream, event, code) => {
  if (event === undefined) throw new Error('there is an example');
  const { prepared } = await quarantining(stream, event);
  await expect(prepared).rejects.toMatchObject({ code });
  expect(quarantineEvent.rejections).toContain(code);
});

test('one that is not where the operator says, or that this process has not read, is not found', async () => {
  const store = await temporaryEventStore();
  const events = { reader: readerOf(store), codec, store };
  for (const [place, message] of [
    [{ stream: 'token-a', revision: 0 }, /at this stream and revision/],
    [{}, /send its stream and revision/],
  ] as const) {
    const input = { params: { eventId: randomId() }, query: {}, body: { reason: 'A test.', ...place } };
    const prepared = quarantineEvent.prepare(input, contextAfter([], { events }));
    await expect(prepared).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND', message });
  }
});

test('the place is recorded with its reason and the operator, once', () => {
  const place = {
    eventId: randomId(),
    stream: 'token-a',
    revision: 4,
    position: '00000000000000000009',
    eventType: 'Nonsense',
    problem: 'no such event',
    isNewer: false,
  };
  const { isNewer: _isNewer, ...recorded } = place;
  const facts = { place, reason: 'A test.', quarantinedAt: '2026-05-04T10:00:00.000Z' };
  const input = { params: { eventId: place.eventId }, body: { reason: 'A test.' } };
  const event = EventQuarantined({
    ...recorded,
    reason: facts.reason,
    by: 'alice',
    quarantinedAt: facts.quarantinedAt,
  });
  const spec = commandSpec(quarantineEvent);
  spec.given().when({ input, facts, actor: 'operator:alice' }).records(event);
  spec.given(event).when({ input, facts, actor: 'operator:bob' }).recordsNothing();
});
