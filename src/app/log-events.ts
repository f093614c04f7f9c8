/** Decodes the events of a log that is only read, without those that operators have quarantined. */
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { silentLogger } from '../kernel/ports/logger.ts';
import { createEventCodec } from '../kernel/runtime/event-codec.ts';
import { createEventReader, type EventReader } from '../kernel/runtime/event-reader.ts';
import { streams } from '../streams/index.ts';

export async function eventReaderOf(log: LogReader): Promise<EventReader> {
  const reader = createEventReader({
    codec: createEventCodec(streams),
    store: { read: (stream, from) => log.stream(stream, from) },
    logger: silentLogger,
  });
  await reader.refresh();
  return reader;
}
