/** Describes one category of streams: its events, its state, and how an event changes the state. */
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { JsonObject } from '../ports/event-store.ts';

/** Each event type of a stream with the schema of its data. */
export type EventSchemas = { readonly [type: string]: TObject };

type DataOf<Schema extends TObject> = Static<Schema> extends infer Data extends JsonObject ? Data : never;

/** The union `{ type, data }` over the schemas. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: { readonly type: Type; readonly data: DataOf<Schemas[Type]> };
}[keyof Schemas & string];

/** For each event type, the function that constructs such an event from its data: `NonceLeased({ ... })`. */
export function constructorsOf<Schemas extends EventSchemas>(
  schemas: Schemas,
): {
  readonly [Type in keyof Schemas & string]: (data: DataOf<Schemas[Type]>) => {
    readonly type: Type;
    readonly data: DataOf<Schemas[Type]>;
  };
} {
  const constructors = Object.keys(schemas).map(
    (type) => [type, (data: JsonObject) => ({ type, data })] as const,
  );
  // Each entry was made from the schema of the same name.
  return Object.fromEntries(constructors) as unknown as ReturnType<typeof constructorsOf<Schemas>>;
}

export interface DomainEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** The version recorded today, for event types whose schema was changed. All others are at version 1. */
export type SchemaVersions = { readonly [type: string]: number };

/** Converts the data of one version to the next version, or to the type that replaced it. */
export interface Upcast {
  /** The resulting type and version. Absent: the next version of the same type. */
  readonly becomes?: { readonly type: string; readonly version: number };
  readonly data: (data: JsonObject) => JsonObject;
}

/**
 * By the stored type and version of an event. A version without an upcast is read as the next one: its schema only
 * grew, so there is nothing to convert.
 */
export type Upcasts = { readonly [storedType: string]: { readonly [version: number]: Upcast } };

/** For a stream that grows for ever: its state is written down now and then (see `snapshots.ts`). */
export interface SnapshotRules {
  /** Raise it whenever `evolve` would make another state of the same events: older snapshots are then ignored. */
  readonly version: number;
  /** The schema of the state, as JSON. */
  readonly state: TSchema;
  /** The number of events between two snapshots: a load reads that many at most. */
  readonly every: number;
}

export interface StreamDefinition<State, Event extends DomainEvent> {
  /** Stream names are `category-id`. */
  readonly category: string;
  readonly events: EventSchemas;
  /** Event types that are never published to subscribers, and why. */
  readonly internal?: { readonly [type: string]: string | undefined };
  readonly versions: SchemaVersions;
  readonly upcasts: Upcasts;
  /** Absent for streams that stay short. */
  readonly snapshots?: SnapshotRules | undefined;
  readonly initial: State;
  /** Never throws and never reads the clock. */
  readonly evolve: (state: State, event: Event) => State;
}

export function defineStream<State, Schemas extends EventSchemas>(definition: {
  readonly category: string;
  readonly events: Schemas;
  readonly internal?: { readonly [Type in keyof Schemas & string]?: string };
  readonly versions?: { readonly [Type in keyof Schemas & string]?: number };
  readonly upcasts?: Upcasts;
  readonly snapshots?: SnapshotRules;
  readonly initial: State;
  readonly evolve: (state: State, event: EventOf<Schemas>) => State;
}): StreamDefinition<State, EventOf<Schemas>> {
  const { versions, ...rest } = definition;
  return { upcasts: {}, ...rest, versions: { ...versions } as SchemaVersions };
}

/** Any stream, where only its schemas matter. */
export type AnyStream = Pick<
  StreamDefinition<never, never>,
  'category' | 'events' | 'internal' | 'versions' | 'upcasts'
>;

/** Any stream, where its events are folded as well. */
export interface FoldableStream extends AnyStream {
  readonly initial: unknown;
  readonly evolve: (state: never, event: never) => unknown;
}

/** The state after the event, which must be a decoded one of this stream. */
export function evolved(stream: FoldableStream, state: unknown, event: DomainEvent): unknown {
  // The codec has checked the event, and the state came from the same function.
  return (stream.evolve as (state: unknown, event: DomainEvent) => unknown)(state, event);
}

/** The latest version of every type under which events of the stream are, or once were, stored. */
export function latestVersions({
  events,
  versions,
  upcasts,
}: Omit<AnyStream, 'category'>): ReadonlyMap<string, number> {
  const today = Object.keys(events).map((type) => [type, versions[type] ?? 1] as const);
  const former = Object.entries(upcasts)
    .filter(([type]) => !(type in events))
    .map(([type, steps]) => [type, Math.max(...Object.keys(steps).map(Number))] as const);
  return new Map([...today, ...former]);
}
