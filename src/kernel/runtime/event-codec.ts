/** Converts between domain events and stored events, and validates in both directions. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { categoryOf } from '../ports/append-rules.ts';
import type { EventToAppend, JsonObject, Position, RecordedEvent } from '../ports/event-store.ts';
import type { AnyStream, DomainEvent } from './define-stream.ts';
import { schemaCheck } from './schema-check.ts';

/** Version of all event schemas, recorded with each event. Newer releases record higher versions. */
export const SCHEMA_VERSION = 1;

const EventMetadata = Type.Object({
  commandId: Type.String({ format: undefined, minLength: 36, maxLength: 36 }),
  /** SHA-256 of the command's input if it has an Idempotency-Key, to reject another input under the key; otherwise empty. */
  inputHash: Type.String(),
  /** Id of the request that started the chain of causes. */
  correlationId: Type.String(),
  /** Id of the event or command that caused this event. */
  causationId: Type.String(),
  /** Wallet address, `anonymous`, `operator:<name>` or `service:<part>`. */
  actor: Type.String({ minLength: 1 }),
  /** `SCHEMA_VERSION` of the release that recorded the event. */
  schemaVersion: Type.Integer({ minimum: 1 }),
  /** ISO 8601, UTC. */
  occurredAt: Type.String(),
  /** Span that recorded or caused the event, in W3C form; absent if untraced. */
  traceparent: Type.Optional(Type.String({ maxLength: 64 })),
});

type EventMetadata = Static<typeof EventMetadata>;

/** Decoded event with its position in the log and its metadata. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event & {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly metadata: EventMetadata;
};

export class EventShapeError extends Error {
  override readonly name: string = 'EventShapeError';
}

/** Undecodable event with its position in the log and the problem. */
export interface UndecodableEvent {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly eventType: string;
  readonly problem: string;
  /** True if a newer release recorded the event. */
  readonly isNewer: boolean;
}

export function detailsOf({ eventId, stream, revision, problem }: UndecodableEvent): object {
  return { eventId, stream, revision, error: problem };
}

export class EventUndecodable extends EventShapeError {
  override readonly name = 'EventUndecodable';
  readonly event: UndecodableEvent;

  constructor(event: UndecodableEvent) {
    super(`the event ${event.eventId} of ${event.stream}, revision ${event.revision}: ${event.problem}`);
    this.event = event;
  }
}

export type EventCodec = ReturnType<typeof createEventCodec>;

export function createEventCodec(streams: readonly AnyStream[]) {
  const checks = new Map(
    streams.map(({ category, events }) => [
      category,
      new Map(Object.entries(events).map(([type, schema]) => [type, schemaCheck(schema)])),
    ]),
  );
  const metadataCheck = TypeCompiler.Compile(EventMetadata);

  function verify(category: string, event: DomainEvent): void {
    const compiled = checks.get(category)?.get(event.type)?.();
    if (compiled === undefined)
      throw new EventShapeError(`the stream category "${category}" has no event type "${event.type}"`);
    if (compiled.Check(event.data)) return;
    const first = compiled.Errors(event.data).First();
    throw new EventShapeError(
      `${event.type}${first?.path ?? ''}: ${first?.message ?? 'does not match its schema'}`,
    );
  }

  function read(stored: RecordedEvent): Recorded {
    if (stored.unreadable !== undefined) throw new EventShapeError(stored.unreadable);
    const metadata: JsonObject = stored.metadata;
    if (!metadataCheck.Check(metadata))
      throw new EventShapeError(`${stored.type}: metadata does not match its schema`);
    const { type, data } = stored;
    if (metadata.schemaVersion > SCHEMA_VERSION)
      throw new EventShapeError(
        `${type} is of version ${metadata.schemaVersion}, and this service supports versions up to ${SCHEMA_VERSION}: ` +
          'a newer release recorded it; start that release',
      );
    verify(categoryOf(stored.stream), stored);
    return {
      type,
      data,
      eventId: stored.id,
      stream: stored.stream,
      revision: stored.revision,
      position: stored.position,
      metadata,
    };
  }

  return {
    /** Throws `EventShapeError` if the data does not match the stream's schema, which is always a bug of the service. */
    encode(
      category: string,
      id: string,
      event: DomainEvent,
      metadata: Omit<EventMetadata, 'schemaVersion'>,
    ): EventToAppend {
      verify(category, event);
      const { type, data } = event;
      return { id, type, data, metadata: { ...metadata, schemaVersion: SCHEMA_VERSION } };
    },
    /**
     * Throws `EventUndecodable` for text that is not JSON, unknown types, schema versions of newer releases, and data that
     * does not match its schema.
     */
    decode(stored: RecordedEvent): Recorded {
      try {
        return read(stored);
      } catch (error) {
        if (!(error instanceof EventShapeError)) throw error;
        const { id, stream, revision, position, type } = stored;
        throw new EventUndecodable({
          eventId: id,
          stream,
          revision,
          position,
          eventType: type,
          problem: error.message,
          isNewer: Number(stored.metadata.schemaVersion) > SCHEMA_VERSION,
        });
      }
    },
  };
}

/** Part of a stream's name after its category. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
