// Given a log with events that cannot be decoded, when nobody needs them, then the reader knows of them all the same.
import { expect, onTestFinished, test } from 'vitest';
import type { EventToAppend } from '../../../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { startDecodeCheck } from '../../../../src/kernel/runtime/decode-check.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { createEventReader } from '../../../../src/kernel/runtime/event-reader.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { streams } from '../../../../src/streams/index.ts';
import { EventQuarantined, quarantine } from '../../../../src/streams/quarantine.ts';
import { eventually } from '../../../support/eventually.ts';
import { SCRIPT_METADATA } from '../../../support/recorded-events.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const codec = createEventCodec(streams);
const strange = (type = 'TokenPainted', metadata = SCRIPT_METADATA): EventToAppend => ({
  id: randomId(),
  type,
  data: {},
  metadata,
});

async function running(...before: readonly (readonly [stream: string, event: EventToAppend])[]) {
  const store = await temporaryEventStore();
  const append = (stream: string, event: EventToAppend) => store.append(stream, 'none', [event]);
  for (const [stream, event] of before) await append(stream, event);
  const reports: string[] = [];
  const logger = loggerTo((message) => void reports.push(message));
  const reader = createEventReader({ store, codec, logger });
  const check = startDecodeCheck({ store, reader, categories: ['token', 'quarantine'], logger });
  onTestFinished(() => check.stop());
  const known = () => reader.undecodable().map(({ eventId }) => eventId);
  return {
    append,
    refresh: reader.refresh,
    reports,
    known,
    told: (count: number) => eventually(`${count} are known`, async () => known().length === count),
  };
}

test('an event of an unknown type is told that stood there before the start, and one that comes later', async () => {
  const [early, late] = [strange(), strange()];
  const { append, told, known } = await running(['token-1', early]);
  await told(1);
  expect(known()).toEqual([early.id]);
  await append('token-2', late);
  await told(2);
  expect(known()).toEqual([early.id, late.id]);
});

test('events of other programs and of newer releases are not told', async () => {
  const last = strange();
  const { told, known } = await running(
    ['painting-1', strange('Painted')],
    ['token-1', strange('TokenHidden', { ...SCRIPT_METADATA, schemaVersion: 99 })],
    ['token-2', last],
  );
  await told(1);
  expect(known()).toEqual([last.id]);
});

test('of many the first are told, and one more for each that is quarantined', async () => {
  const many = Array.from({ length: 30 }, (_, index) => [`token-${index}`, strange()] as const);
  const { append, refresh, told, known, reports } = await running(...many);
  await told(20);
  expect(reports).toHaveLength(20);
  const first = many[0]?.[1];
  if (first === undefined) throw new Error('no event');
  const given = EventQuarantined({
    eventId: first.id,
    stream: 'token-0',
    revision: 0,
    position: '1',
    eventType: first.type,
    problem: 'Its type is unknown.',
    reason: 'A script wrote it.',
    by: 'ann',
    quarantinedAt: '2026-11-22T06:00:00.000Z',
  });
  const { schemaVersion: _version, ...metadata } = SCRIPT_METADATA;
  await append(
    `${quarantine.category}-events`,
    codec.encode(quarantine.category, randomId(), given, metadata),
  );
  await refresh();
  await eventually('the next is known', async () => known().includes(many[20]?.[1].id ?? ''));
  expect(known()).toHaveLength(20);
});
