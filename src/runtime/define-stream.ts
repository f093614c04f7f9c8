/** Describes one category of streams: its events, its state, and how an event changes the state. */
import type { Static, TObject } from '@sinclair/typebox';
import type { JsonObject } from '../ports/event-store.ts';

/** Each event type of a stream with the schema of its data. */
export type EventSchemas = { readonly [type: string]: TObject };

type DataOf<Schema extends TObject> = Static<Schema> extends infer Data extends JsonObject ? Data : never;

/** The union `{ type, data }` over the schemas. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: { readonly type: Type; readonly data: DataOf<Schemas[Type]> };
}[keyof Schemas & string];

/** For each event type the function that makes one of its data: `NonceLeased({ ... })`. */
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

/** What an older stored event becomes today. */
export type Upcast = (data: JsonObject) => DomainEvent;

export interface StreamDefinition<State, Event extends DomainEvent> {
  /** Stream names are `category-id`. */
  readonly category: string;
  readonly events: EventSchemas;
  /** By the name under which the event was stored. */
  readonly upcasts: { readonly [storedType: string]: Upcast };
  readonly initial: State;
  /** Never throws and never reads the clock. */
  readonly evolve: (state: State, event: Event) => State;
}

export function defineStream<State, Schemas extends EventSchemas>(definition: {
  readonly category: string;
  readonly events: Schemas;
  readonly upcasts?: { readonly [storedType: string]: Upcast };
  readonly initial: State;
  readonly evolve: (state: State, event: EventOf<Schemas>) => State;
}): StreamDefinition<State, EventOf<Schemas>> {
  return { upcasts: {}, ...definition };
}

/** Any stream, where only its schemas matter. */
export type AnyStream = Pick<StreamDefinition<never, never>, 'category' | 'events' | 'upcasts'>;
