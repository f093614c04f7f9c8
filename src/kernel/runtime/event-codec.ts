/** Converts between the rules' events and the stored ones: checked both ways, older versions upcast on reading. */
import { type Static, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { categoryOf } from '../ports/append-rules.ts';
import type { EventToAppend, JsonObject, Position, RecordedEvent } from '../ports/event-store.ts';
import { compiledCheck } from './compiled-check.ts';
import {
  type AnyStream,
  type DomainEvent,
  latestVersions,
  type Upcast,
  type Upcasts,
} from './define-stream.ts';

const EventMetadata = Type.Object({
  commandId: Type.String({ format: undefined, minLength: 36, maxLength: 36 }),
  /** SHA-256 of the command's input, where it has an Idempotency-Key: another input under the key is refused. Else empty. */
  inputHash: Type.String(),
  /** The id of the request that started everything. */
  correlationId: Type.String(),
  /** The id of the event or command that led to this one. */
  causationId: Type.String(),
  /** A wallet address, `anonymous`, `operator:<name>` or `service:<part>`. */
  actor: Type.String({ minLength: 1 }),
  /** The schema version of its type under which it was recorded. */
  schemaVersion: Type.Integer({ minimum: 1 }),
  /** ISO 8601, UTC. */
  occurredAt: Type.String(),
  /** The span that recorded it or led to it, in W3C form, if that was traced. */
  traceparent: Type.Optional(Type.String({ maxLength: 64 })),
});

export type EventMetadata = Static<typeof EventMetadata>;

/** An event read back: its data, and where and by whom it was recorded. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event & {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly metadata: EventMetadata;
};

export type MetadataToRecord = Omit<EventMetadata, 'schemaVersion'>;

export interface EventCodec {
  /**
   * Throws `EventShapeError` when the data does not match the stream's schema: always our bug, never the caller's
   * fault.
   */
  encode(category: string, eventId: string, event: DomainEvent, metadata: MetadataToRecord): EventToAppend;
  /**
   * Throws `EventUndecodable` for text that is not JSON, for an unknown type, for a version newer than the known ones,
   * and for data that does not match its version.
   */
  decode(event: RecordedEvent): Recorded;
  /** Whether the stored event would be of one of these types once decoded. Does not look at its data. */
  mayBecome(event: Pick<RecordedEvent, 'stream' | 'type'>, isWanted: (type: string) => boolean): boolean;
}

export class EventShapeError extends Error {
  override readonly name: string = 'EventShapeError';
}

/** Where an event that cannot be decoded is, and why it cannot. */
export interface UndecodableEvent {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly eventType: string;
  readonly problem: string;
  /** A newer release recorded it, and can decode it. */
  readonly isNewer: boolean;
}

/** Names the event and what is wrong with it, in a report. */
export function detailsOf({ eventId, stream, revision, problem }: UndecodableEvent): object {
  return { eventId, stream, revision, error: problem };
}

/** A recorded event cannot be decoded by this release. */
export class EventUndecodable extends EventShapeError {
  override readonly name = 'EventUndecodable';
  readonly event: UndecodableEvent;

  constructor(event: UndecodableEvent) {
    super(`the event ${event.eventId} of ${event.stream}, revision ${event.revision}: ${event.problem}`);
    this.event = event;
  }
}

class NewerVersion extends EventShapeError {}

/** A type under which events of a stream are, or once were, stored. */
interface StoredType {
  readonly latest: number;
  readonly upcasts: { readonly [version: number]: Upcast };
  /** Undefined for a type that has been renamed. */
  readonly check: (() => TypeCheck<AnyStream['events'][string]>) | undefined;
  /** The types that replaced it, each perhaps from another version on. */
  readonly successors: readonly string[];
}

/** Throws if an upcast leads to no current event type. */
export function createEventCodec(streams: readonly AnyStream[]): EventCodec {
  const categories = new Map(streams.map((stream) => [stream.category, storedTypesOf(stream)]));
  const metadataCheck = TypeCompiler.Compile(EventMetadata);

  function storedType(category: string, type: string): StoredType {
    const found = categories.get(category)?.get(type);
    if (found === undefined) throw new EventShapeError(`the stream "${category}" has no event "${type}"`);
    return found;
  }

  function verify(category: string, event: DomainEvent): void {
    const { check } = storedType(category, event.type);
    if (check === undefined)
      throw new EventShapeError(`the stream "${category}" has no event "${event.type}" any more`);
    const compiled = check();
    if (compiled.Check(event.data)) return;
    const first = compiled.Errors(event.data).First();
    throw new EventShapeError(
      `${event.type}${first?.path ?? ''}: ${first?.message ?? 'does not fit its schema'}`,
    );
  }

  /** The event in the latest version of its type, or of the type that replaced it. */
  function upcast(category: string, event: DomainEvent, version: number): DomainEvent {
    const { latest, upcasts, check } = storedType(category, event.type);
    if (version > latest) {
      throw new NewerVersion(
        `${event.type} is of version ${version}, and this service knows its versions up to ${latest}: ` +
          'a newer one has recorded it; start that one',
      );
    }
    if (version === latest && check !== undefined) return event;
    const step = upcasts[version];
    const { type, version: next } = step?.becomes ?? { type: event.type, version: version + 1 };
    return upcast(category, { type, data: step === undefined ? event.data : step.data(event.data) }, next);
  }

  function read(stored: RecordedEvent): Recorded {
    if (stored.unreadable !== undefined) throw new EventShapeError(stored.unreadable);
    const metadata: JsonObject = stored.metadata;
    if (!metadataCheck.Check(metadata))
      throw new EventShapeError(`${stored.type}: metadata do not fit their schema`);
    const category = categoryOf(stored.stream);
    const event = upcast(category, stored, metadata.schemaVersion);
    verify(category, event);
    return {
      type: event.type,
      data: event.data,
      eventId: stored.id,
      stream: stored.stream,
      revision: stored.revision,
      position: stored.position,
      metadata,
    };
  }

  return {
    encode(category, id, event, metadata) {
      verify(category, event);
      const { latest } = storedType(category, event.type);
      return { id, type: event.type, data: event.data, metadata: { ...metadata, schemaVersion: latest } };
    },
    decode(stored) {
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
          isNewer: error instanceof NewerVersion,
        });
      }
    },
    mayBecome({ stream, type }, isWanted) {
      if (isWanted(type)) return true;
      return categories.get(categoryOf(stream))?.get(type)?.successors.some(isWanted) ?? false;
    },
  };
}

function storedTypesOf(stream: AnyStream): ReadonlyMap<string, StoredType> {
  const { category, events, upcasts } = stream;
  const latest = latestVersions(stream);
  for (const [type, steps] of Object.entries(upcasts)) {
    for (const [version, { becomes }] of Object.entries(steps)) {
      const next = becomes ?? { type, version: Number(version) + 1 };
      if (next.version <= (latest.get(next.type) ?? 0)) continue;
      throw new Error(
        `the upcast of "${category}/${type}" from version ${version} leads to "${next.type}" version ${next.version}, which there is none of`,
      );
    }
  }
  return new Map(
    [...latest].map(([type, version]) => {
      const schema = events[type];
      const check = schema && compiledCheck(schema);
      const successors = successorsOf(type, upcasts);
      return [type, { latest: version, upcasts: upcasts[type] ?? {}, check, successors }];
    }),
  );
}

function successorsOf(type: string, upcasts: Upcasts): readonly string[] {
  const next = Object.values(upcasts[type] ?? {}).flatMap(({ becomes }) =>
    becomes === undefined || becomes.type === type ? [] : becomes.type,
  );
  return [...new Set(next.flatMap((each) => [each, ...successorsOf(each, upcasts)]))];
}

/** The part of a stream's name after its category. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
