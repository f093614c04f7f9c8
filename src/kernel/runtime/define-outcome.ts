/** Defines an outcome: the message that subscribers receive for one type of event, on any transport. */
import type { Static, TObject } from '@sinclair/typebox';
import type { JsonObject } from '../ports/event-store.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';

/** Receivers: everybody; the creator of the token in question; or the service's operators, who receive all outcomes. */
export type Audience = 'public' | 'creators' | 'operators';

type EventOfType<AllEvents extends DomainEvent, Type extends AllEvents['type']> = Recorded<
  Extract<AllEvents, { type: Type }>
>;

interface OutcomeDefinition<
  AllEvents extends DomainEvent,
  Type extends AllEvents['type'],
  Data extends TObject,
> {
  /** Published name, `<plural>.<verb>`. Must never be changed, nor reused for another meaning. */
  readonly name: string;
  /** The fact in one sentence. */
  readonly summary: string;
  /** Type of the reported event. */
  readonly of: Type;
  readonly audience: Audience;
  /** Only ever extended: published properties and their meaning never change. */
  readonly data: Data;
  readonly subject: (event: EventOfType<AllEvents, Type>) => string;
  /** Id of a token; while it is hidden, the public does not receive the outcome. Absent if the outcome is always public. */
  readonly hiddenWith?: (event: EventOfType<AllEvents, Type>) => string;
  /** True if the public receives this event's outcome, unless hidden. Absent if the public receives all. */
  readonly concernsPublic?: (event: EventOfType<AllEvents, Type>) => boolean;
  readonly dataOf: (event: EventOfType<AllEvents, Type>) => Static<Data>;
}

/** Outcome in the registry, without its specific types. */
export interface AnyOutcome extends Omit<OutcomeDefinition<DomainEvent, string, TObject>, 'dataOf'> {
  readonly dataOf: (event: Recorded) => JsonObject;
}

/** `outcomesOf<AllEvents>()` returns the `defineOutcome` of a service, with typed event data. */
export function outcomesOf<AllEvents extends DomainEvent>() {
  return <Type extends AllEvents['type'], Data extends TObject>(
    definition: OutcomeDefinition<AllEvents, Type, Data>,
  ): AnyOutcome => definition as unknown as AnyOutcome;
}
