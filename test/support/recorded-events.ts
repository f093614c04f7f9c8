/** Events as a store gives them back, without a store: written and read by the codec, in the order given. */
import type { EventStore, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { createEventCodec, type Recorded } from '../../src/kernel/runtime/event-codec.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { categoryOfType, type LevyEvent, streams } from '../../src/streams/index.ts';

export const EARLY = '2026-05-04T10:00:00.000Z';

/** Something that happened: in which stream of the event's category, what, and when. */
export interface Happening {
  readonly streamId: string;
  readonly event: LevyEvent;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  /** `anonymous` when absent. */
  readonly actor?: string;
}

export function happening(streamId: string, event: LevyEvent, occurredAt = EARLY): Happening {
  return { streamId, event, occurredAt };
}

/** Metadata of an event that a script has recorded, beside the service. */
export const SCRIPT_METADATA = {
  commandId: deriveId('example', 'script'),
  inputHash: '',
  correlationId: 'script',
  causationId: 'script',
  actor: 'service:script',
  schemaVersion: 1,
  occurredAt: '2026-11-22T06:00:00.000Z',
};

const codec = createEventCodec(streams);

/** Events as they are stored. Revisions are counted by stream, positions from 1. */
export function storedEvents(happenings: readonly Happening[]): readonly RecordedEvent[] {
  const lengths = new Map<string, number>();
  return happenings.map(({ streamId, event, occurredAt, actor = 'anonymous' }, index) => {
    const category = categoryOfType.get(event.type) ?? '';
    const stream = `${category}-${streamId}`;
    const revision = lengths.get(stream) ?? 0;
    lengths.set(stream, revision + 1);
    const commandId = deriveId('example', stream, String(revision));
    const encoded = codec.encode(category, deriveId('event', commandId), event, {
      commandId,
      inputHash: '',
      correlationId: 'example',
      causationId: commandId,
      actor,
      occurredAt,
    });
    return { ...encoded, stream, revision, position: String(index + 1).padStart(20, '0') };
  });
}

/** Appends events one by one to a store that has their streams up to there. What it has less or more of is an error. */
export async function appendRecorded(
  store: Pick<EventStore, 'append'>,
  events: readonly Omit<RecordedEvent, 'position'>[],
): Promise<void> {
  for (const { stream, revision, id, type, data, metadata } of events) {
    const expected = revision === 0 ? 'none' : revision - 1;
    const { outcome } = await store.append(stream, expected, [{ id, type, data, metadata }]);
    if (outcome !== 'appended') throw new Error(`${stream} does not end before revision ${revision}`);
  }
}

export function recordedEvents(happenings: readonly Happening[]): readonly Recorded[] {
  return storedEvents(happenings).map((stored) => codec.decode(JSON.parse(JSON.stringify(stored))));
}
