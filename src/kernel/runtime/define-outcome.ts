/** Describes an outcome: the message that subscribers get about one type of event, whatever transport carries it. */
import type { Static, TObject } from '@sinclair/typebox';
import type { JsonObject } from '../ports/event-store.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';

/** Receivers: everybody, the creator alone whose token it is about, or only the service's operators, who get everything. */
export type Audience = 'public' | 'creators' | 'operators';

type EventOfType<AllEvents extends DomainEvent, Type extends AllEvents['type']> = Recorded<
  Extract<AllEvents, { type: Type }>
>;

interface OutcomeDefinition<
  AllEvents extends DomainEvent,
  Type extends AllEvents['type'],
  Data extends TObject,
> {
  /** `<plural>.<verb>`: its published name. A published name is never changed, nor reused for something else. */
  readonly name: string;
  /** The fact in one sentence. */
  readonly summary: string;
  /** The type of the event that it reports. */
  readonly of: Type;
  readonly audience: Audience;
  /** Only ever grows: a published property stays, with its meaning. */
  readonly data: Data;
  /** The id of what it concerns. */
  readonly subject: (event: EventOfType<AllEvents, Type>) => string;
  /**
   * The id of the token that it concerns: the public does not get it while that token is hidden. Absent if everybody
   * may know anyway.
   */
  readonly hiddenWith?: (event: EventOfType<AllEvents, Type>) => string;
  /** True if the public gets this one, of those that it may get. Absent if it gets all. */
  readonly concernsPublic?: (event: EventOfType<AllEvents, Type>) => boolean;
  readonly tell: (event: EventOfType<AllEvents, Type>) => Static<Data>;
}

/** An outcome as the registry holds it: only the outcome itself knows its types. */
export interface AnyOutcome extends Omit<OutcomeDefinition<DomainEvent, string, TObject>, 'tell'> {
  readonly tell: (event: Recorded) => JsonObject;
}

/** `outcomesOf<AllEvents>()` gives the `defineOutcome` of a service, in which every outcome knows its event's data. */
export function outcomesOf<AllEvents extends DomainEvent>() {
  return <Type extends AllEvents['type'], Data extends TObject>(
    definition: OutcomeDefinition<AllEvents, Type, Data>,
  ): AnyOutcome => definition as unknown as AnyOutcome;
}
