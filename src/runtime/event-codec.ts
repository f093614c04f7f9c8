/** Between events as rules know them and events as stores keep them: checked both ways, upcast on the way in. */
import { type Static, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { EventToAppend, JsonObject, RecordedEvent } from '../ports/event-store.ts';
import type { AnyStream, DomainEvent, Upcast } from './define-stream.ts';

const SCHEMA_VERSION = 1;

const EventMetadata = Type.Object({
  commandId: Type.String({ format: undefined, minLength: 36, maxLength: 36 }),
  /** SHA-256 of the command's input; tells a repeated command from another one under the same key. */
  inputHash: Type.String(),
  /** The id of the request that began it all. */
  correlationId: Type.String(),
  /** The id of the event or command that led to this one. */
  causationId: Type.String(),
  /** A wallet address, `anonymous`, `operator:<name>` or `service:<part>`. */
  actor: Type.String({ minLength: 1 }),
  schemaVersion: Type.Integer({ minimum: 1 }),
  /** ISO 8601, UTC. */
  occurredAt: Type.String(),
  /** Of the span that recorded it or led to it, in W3C form, where that was traced. */
  traceparent: Type.Optional(Type.String({ maxLength: 64 })),
});

export type EventMetadata = Static<typeof EventMetadata>;

/** An event read back: its meaning, and where and by whom it was recorded. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event & {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly metadata: EventMetadata;
};

export type MetadataToRecord = Omit<EventMetadata, 'schemaVersion'>;

export interface EventCodec {
  /** Throws `EventShapeError` when the data are not what the stream's schema says: a fault of ours, never the caller's. */
  encode(category: string, eventId: string, event: DomainEvent, metadata: MetadataToRecord): EventToAppend;
  /** Throws `EventShapeError` for an unknown type or a shape that no upcast explains. */
  decode(event: RecordedEvent): Recorded;
}

export class EventShapeError extends Error {
  override readonly name = 'EventShapeError';
}

export function createEventCodec(streams: readonly AnyStream[]): EventCodec {
  const checks = new Map<string, Map<string, TypeCheck<AnyStream['events'][string]>>>();
  const upcasts = new Map<string, Upcast>();
  const metadataCheck = TypeCompiler.Compile(EventMetadata);
  for (const { category, events, upcasts: ofStream } of streams) {
    const byType = new Map(
      Object.entries(events).map(([type, schema]) => [type, TypeCompiler.Compile(schema)]),
    );
    checks.set(category, byType);
    for (const [storedType, upcast] of Object.entries(ofStream))
      upcasts.set(`${category}/${storedType}`, upcast);
  }

  function verify(category: string, event: DomainEvent): void {
    const check = checks.get(category)?.get(event.type);
    if (check === undefined)
      throw new EventShapeError(`the stream "${category}" has no event "${event.type}"`);
    if (!check.Check(event.data)) {
      const first = check.Errors(event.data).First();
      throw new EventShapeError(
        `${event.type}${first?.path ?? ''}: ${first?.message ?? 'does not fit its schema'}`,
      );
    }
  }

  return {
    encode(category, id, event, metadata) {
      verify(category, event);
      return {
        id,
        type: event.type,
        data: event.data,
        metadata: { ...metadata, schemaVersion: SCHEMA_VERSION },
      };
    },
    decode(stored) {
      const category = categoryOf(stored.stream);
      const upcast = upcasts.get(`${category}/${stored.type}`);
      const event: DomainEvent = upcast?.(stored.data) ?? { type: stored.type, data: stored.data };
      verify(category, event);
      const metadata: JsonObject = stored.metadata;
      if (!metadataCheck.Check(metadata))
        throw new EventShapeError(`${stored.type}: metadata do not fit their schema`);
      return {
        type: event.type,
        data: event.data,
        eventId: stored.id,
        stream: stored.stream,
        revision: stored.revision,
        position: stored.position,
        metadata,
      };
    },
  };
}

export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash === -1 ? stream : stream.slice(0, dash);
}

/** The part of a stream's name after its category. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
