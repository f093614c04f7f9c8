/** Defines a category of streams: events, state, and the effect of an event on the state. */
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { JsonObject } from '../ports/event-store.ts';

type EventSchemas = { readonly [type: string]: TObject };

type DataOf<Schema extends TObject> = Static<Schema> extends infer Data extends JsonObject ? Data : never;

/** Union `{ type, data }` over the schemas. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: { readonly type: Type; readonly data: DataOf<Schemas[Type]> };
}[keyof Schemas & string];

/** Functions by event type that construct an event from its data: `NonceLeased({ ... })`. */
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
  // Each entry was built from the schema of the same name.
  return Object.fromEntries(constructors) as unknown as ReturnType<typeof constructorsOf<Schemas>>;
}

export interface DomainEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** Rules for a stream of unlimited length, whose state is stored at intervals (see `snapshots.ts`). */
interface SnapshotRules {
  /** Must be raised whenever `evolve` results in another state for the same events; older snapshots are then ignored. */
  readonly version: number;
  readonly state: TSchema;
  /** Number of events between two snapshots; a load reads at most that many. */
  readonly every: number;
}

export interface StreamDefinition<State, Event extends DomainEvent> {
  /** Stream names are `category-id`. */
  readonly category: string;
  readonly events: EventSchemas;
  /** Event types that are never published to subscribers, with the reason. */
  readonly internal?: { readonly [type: string]: string | undefined };
  /** Absent for short streams. */
  readonly snapshots?: SnapshotRules | undefined;
  readonly initial: State;
  /** Never throws, and never reads the clock. */
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

/** Stream of any type, for users of its schemas only. */
export type AnyStream = Pick<StreamDefinition<never, never>, 'category' | 'events' | 'internal'>;

/** Stream of any type, for folding its events. */
export interface FoldableStream extends AnyStream {
  readonly initial: unknown;
  readonly evolve: (state: never, event: never) => unknown;
}

/** State after a decoded event of the stream. */
export function evolved(stream: FoldableStream, state: unknown, event: DomainEvent): unknown {
  // The codec has checked the event, and the same function returned the state.
  return (stream.evolve as (state: unknown, event: DomainEvent) => unknown)(state, event);
}
