// Quarantine as an operator's call records it, for tests that have no service.
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../src/kernel/ports/logger.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import { createEventCodec, type UndecodableEvent } from '../../src/kernel/runtime/event-codec.ts';
import { createEventReader, type EventReader } from '../../src/kernel/runtime/event-reader.ts';
import { causeOf, createExecutor } from '../../src/kernel/runtime/execute.ts';
import { EventQuarantined, QUARANTINE_ID, quarantine } from '../../src/kernel/runtime/quarantine.ts';
import { streams } from '../../src/streams/index.ts';
import { counter } from './counter.ts';

const codec = createEventCodec([...streams, counter]);

export type QuarantinedPlace = Pick<UndecodableEvent, 'eventId' | 'stream' | 'revision'>;

export function readerOf(store: EventStore, reports: string[] = []): EventReader {
  return createEventReader({
    store,
    codec,
    logger: loggerTo((message, details) => reports.push(`${message}: ${JSON.stringify(details)}`)),
  });
}

/** Records it; readers learn of it when they look. */
export async function quarantineAt(store: EventStore, place: QuarantinedPlace): Promise<void> {
  const { eventId, stream, revision } = place;
  await createExecutor(store, codec, systemClock).execute(quarantine, QUARANTINE_ID, causeOf('test'), () => [
    EventQuarantined({
      eventId,
      stream,
      revision,
      position: '',
      eventType: 'Nonsense',
      problem: 'nonsense',
      reason: 'It is nonsense.',
      by: 'alice',
      quarantinedAt: '2026-11-22T06:00:00.000Z',
    }),
  ]);
}
