/** How many events of a stream EventStoreDB keeps: written in the stream's own metadata, as `$maxCount`. */
import { randomUUID } from 'node:crypto';
import type { CheckedEvent } from '../ports/append-rules.ts';
import type { Connection } from './eventstoredb-connection.ts';
import { lastOfStreamRequest } from './eventstoredb-messages.ts';
import { patiently, take } from './eventstoredb-reading.ts';

/** Undefined if all are kept, or somebody else has set something. */
export async function keptCount(connection: Connection, stream: string): Promise<number | undefined> {
  for await (const message of take(connection, lastOfStreamRequest(`$$${stream}`), patiently())) {
    const record = message.getEvent()?.getEvent();
    if (record === undefined) continue;
    const metadata: unknown = JSON.parse(Buffer.from(record.getData_asU8()).toString());
    if (typeof metadata !== 'object' || metadata === null || !('$maxCount' in metadata)) return undefined;
    return typeof metadata.$maxCount === 'number' ? metadata.$maxCount : undefined;
  }
  return undefined;
}

/** At whatever revision: who comes last decides, and twice is no harm. */
export function keptCountAppend(stream: string, count: number) {
  const event: CheckedEvent = {
    event: { id: randomUUID(), type: '$metadata', data: { $maxCount: count }, metadata: {} },
    data: JSON.stringify({ $maxCount: count }),
    metadata: '{}',
  };
  return [`$$${stream}`, 'any', [event]] as const;
}
