/** Describes one category of streams: its events, its state, and how an event changes the state. */
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { JsonObject } from '../ports/event-store.ts';

/** Each event type of a stream with the schema of its data. */
type EventSchemas = { readonly [type: string]: TObject };

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

/** Rules for a stream that grows without end, whose state is stored now and then (see `snapshots.ts`). */
interface SnapshotRules {
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
  readonly snapshots?: SnapshotRules;
  readonly initial: State;
  readonly evolve: (state: State, event: EventOf<Schemas>) => State;
}): StreamDefinition<State, EventOf<Schemas>> {
  return definition;
}

/** Any stream, where only its schemas matter. */
export type AnyStream = Pick<StreamDefinition<never, never>, 'category' | 'events' | 'internal'>;

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
