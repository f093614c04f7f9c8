/** How many events of a stream EventStoreDB keeps: `$maxCount` in the stream's own metadata. */
import { randomUUID } from 'node:crypto';
import type { CheckedEvent } from '../../kernel/ports/append-rules.ts';
import type { JsonValue } from '../../kernel/ports/event-store.ts';
import type { Connection } from './connection.ts';
import { lastOfStream } from './reading.ts';

/** The stream's metadata, whoever set it. */
export type StreamMetadata = { readonly [name: string]: JsonValue };

export async function metadataOf(connection: Connection, stream: string): Promise<StreamMetadata> {
  const record = await lastOfStream(connection, `$$${stream}`);
  // The server accepts only JSON for a stream's metadata.
  return record === undefined ? {} : JSON.parse(Buffer.from(record.getData_asU8()).toString());
}

/** Keeps all other metadata, at any revision: the last write wins, and repeating it does no harm. */
export function keptCountAppend(stream: string, metadata: StreamMetadata, count: number) {
  const data = { ...metadata, $maxCount: count };
  const event: CheckedEvent = {
    event: { id: randomUUID(), type: '$metadata', data, metadata: {} },
    data: JSON.stringify(data),
    metadata: '{}',
  };
  return [`$$${stream}`, 'any', [event]] as const;
}
