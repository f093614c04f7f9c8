/** CloudEvents 1.0 envelope of all messages to subscribers, on every transport. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { type EventStore, type JsonValue, type Position, START } from '../kernel/ports/event-store.ts';
import type { AnyOutcome } from '../kernel/runtime/define-outcome.ts';
import type { Recorded } from '../kernel/runtime/event-codec.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { described, Timestamp } from '../streams/value-types.ts';

export const CLOUD_EVENTS_JSON = 'application/cloudevents+json';
const TYPE_PREFIX = 'levy.';

export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly position: Position;
  readonly data: JsonValue;
}

/** Data about the event's token for the envelope; empty if the token's first event cannot be read. */
export interface EventAbout {
  readonly tokenId?: string;
  readonly mintAddress?: string;
  readonly creator?: string;
  /** Unknown for events of a draft. */
  readonly partner?: string | undefined;
}

/** CloudEvents `type` of the outcome. */
export function cloudEventType({ name }: Pick<AnyOutcome, 'name'>): string {
  return TYPE_PREFIX + name;
}

const Source = Type.String({
  format: 'uri-reference',
  minLength: 1,
  description: 'Log that contains the event. Positions of different logs are not comparable.',
  examples: ['urn:uuid:01a452c8-152a-5357-bf26-b2192a04c7d1'],
});

const PositionInLog = Type.String({
  minLength: 1,
  description: 'Position in the log, for resuming after it. Opaque; later positions compare greater as text.',
  examples: ['00000000000000000042'],
});

/** Schema of the envelope around the given data schema. */
export function cloudEventSchema(outcome: Pick<AnyOutcome, 'name'>, data: TSchema) {
  return Type.Object({
    specversion: Type.Literal('1.0'),
    id: described(Uuid, 'Id of the event, equal in every delivery.'),
    source: Source,
    type: Type.Literal(cloudEventType(outcome)),
    subject: Type.String({
      minLength: 1,
      description: 'Id of the subject.',
      examples: ['11f82ccb-0246-5e2a-83c3-8f3a12af34d8'],
    }),
    time: Type.String({
      ...Timestamp,
      format: 'date-time',
      description: 'Time at which the event was recorded.',
    }),
    datacontenttype: Type.Literal('application/json'),
    position: PositionInLog,
    data,
  });
}

/** `source`: name of the log. The data contain both ids of the token, even if the event does not. */
export function cloudEventOf(
  outcome: AnyOutcome,
  event: Recorded,
  source: string,
  { tokenId, mintAddress }: EventAbout,
): CloudEvent {
  return {
    specversion: '1.0',
    id: event.eventId,
    source,
    type: cloudEventType(outcome),
    subject: outcome.subject(event),
    time: event.metadata.occurredAt,
    datacontenttype: 'application/json',
    position: event.position,
    data: { ...bothIds({ tokenId, mintAddress }), ...outcome.dataOf(event) },
  };
}

function bothIds(ids: Pick<EventAbout, 'tokenId' | 'mintAddress'>) {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined));
}

/**
 * Type of progress messages, which are not events of the log: everything up to the position was sent, so consumers can resume
 * after it.
 */
export const CHECKPOINT_TYPE = `${TYPE_PREFIX}checkpoint`;

export const CheckpointEvent = Type.Object({
  specversion: Type.Literal('1.0'),
  id: Type.String({ minLength: 1, examples: ['checkpoint-00000000000000000042'] }),
  source: Source,
  type: Type.Literal(CHECKPOINT_TYPE),
  position: PositionInLog,
});

export function checkpointOf(position: Position, source: string): Static<typeof CheckpointEvent> {
  return { specversion: '1.0', id: `checkpoint-${position}`, source, type: CHECKPOINT_TYPE, position };
}

/** Public name of the log, from the unique id of its first event. */
export function sourceOf(firstEventId: string): string {
  return `urn:uuid:${firstEventId}`;
}

/** Reads the log's public name. Undefined when aborted, or if the log is empty. */
export async function sourceOfLog(store: EventStore, signal: AbortSignal): Promise<string | undefined> {
  for await (const message of store.subscribe({ after: START, signal })) {
    if (message.kind === 'checkpoint') continue;
    return message.kind === 'event' ? sourceOf(message.event.id) : undefined;
  }
  return undefined;
}
