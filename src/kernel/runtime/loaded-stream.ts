/** Folds what was read of a stream to the state that is decided on. */
import type { ExpectedRevision, Position, RecordedEvent } from '../ports/event-store.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { Milestone } from './snapshots.ts';

/** A stream as this process has last seen it: the store may hold more. */
export interface Known<State, Event extends DomainEvent> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  /** The stream's latest events, all those from `LoadOptions.eventsFrom` on among them; of a long stream not all. */
  readonly events: readonly Recorded<Event>[];
  /** The position of the stream's last event; undefined when it has none. */
  readonly position: Position | undefined;
  /** The state right after one of `events`. */
  readonly stateAfter: (event: Recorded<Event>) => State;
}

/** A stream as the store showed it when it was asked: an answer may depend on it though nothing is appended. */
export interface Loaded<State, Event extends DomainEvent> extends Known<State, Event> {
  readonly isFresh: true;
}

/** For decisions that append nothing: they must not be made on what is only known. */
export type AskedState<State> = Pick<Loaded<State, DomainEvent>, 'state' | 'isFresh'>;

/** A stream from a revision on. `first` and `last` as they are stored: quarantined events are not decoded, but count. */
export interface StreamEnd {
  readonly events: readonly Recorded[];
  readonly first: Pick<RecordedEvent, 'revision' | 'id'> | undefined;
  readonly last: Pick<RecordedEvent, 'revision' | 'id' | 'position'> | undefined;
}

/**
 * What the events from the milestone's own on make of it; those of the whole stream without one. Undefined when what was
 * read does not begin with the milestone's event: then the milestone is of another history.
 */
export function loadedFrom<State, Event extends DomainEvent>(
  stream: Pick<StreamDefinition<State, Event>, 'initial' | 'evolve'>,
  { first, last, ...read }: StreamEnd,
  milestone: Milestone<State> | undefined,
): Known<State, Event> | undefined {
  if (milestone !== undefined && (first?.revision !== milestone.revision || first.id !== milestone.eventId))
    return undefined;
  // The codec has checked the events against this stream's schemas.
  const events = read.events as readonly Recorded<Event>[];
  const stateAt = foldUpTo(stream, events, milestone);
  return {
    state: stateAt(last?.revision ?? -1),
    events,
    revision: last?.revision ?? 'none',
    position: last?.position,
    stateAfter: (event) => stateAt(event.revision),
  };
}

/** What the events that follow make of it. `milestone`: as it was when the stream was loaded. */
export function grownBy<State, Event extends DomainEvent>(
  stream: Pick<StreamDefinition<State, Event>, 'initial' | 'evolve'>,
  known: Known<State, Event>,
  { last, ...next }: StreamEnd,
  milestone: Milestone<State> | undefined,
): Known<State, Event> {
  // The codec has checked the events against this stream's schemas.
  const news = next.events as readonly Recorded<Event>[];
  const events = [...known.events, ...news];
  const stateAt = foldUpTo(stream, events, milestone);
  return {
    state: news.reduce<State>(stream.evolve, known.state),
    events,
    revision: last?.revision ?? known.revision,
    position: last?.position ?? known.position,
    stateAfter: (event) => stateAt(event.revision),
  };
}

function foldUpTo<State, Event extends DomainEvent>(
  { initial, evolve }: Pick<StreamDefinition<State, Event>, 'initial' | 'evolve'>,
  events: readonly Recorded<Event>[],
  milestone: Milestone<State> | undefined,
): (revision: number) => State {
  const { state: begun, revision: after } = milestone ?? { state: initial, revision: -1 };
  return (revision) =>
    events
      .filter((event) => event.revision > after && event.revision <= revision)
      .reduce<State>(evolve, begun);
}
