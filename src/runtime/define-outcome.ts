/** Describes an outcome: what subscribers are told of one type of event, whatever carries it to them. */
import type { Static, TObject } from '@sinclair/typebox';
import type { JsonValue } from '../ports/event-store.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';

/** Whom it concerns: everybody, or those who operate the service. */
export type Audience = 'public' | 'operators';

type EventOfType<AllEvents extends DomainEvent, Type extends AllEvents['type']> = Recorded<
  Extract<AllEvents, { type: Type }>
>;

export interface OutcomeDefinition<
  AllEvents extends DomainEvent,
  Type extends AllEvents['type'],
  Data extends TObject,
> {
  /** `<plural>.<verb>`: what it is published under. Once published it is never changed, nor used for something else. */
  readonly name: string;
  /** What happened, in a sentence. */
  readonly summary: string;
  /** The type of the event that it tells of. */
  readonly of: Type;
  readonly audience: Audience;
  /** Only ever grows: a property that was published stays, with its meaning. */
  readonly data: Data;
  /** The id of what it is about. */
  readonly subject: (event: EventOfType<AllEvents, Type>) => string;
  /**
   * The id of the token that it tells of: the public is not told while that token is hidden. Absent where everybody may
   * know anyway.
   */
  readonly hiddenWith?: (event: EventOfType<AllEvents, Type>) => string;
  readonly tell: (event: EventOfType<AllEvents, Type>) => Static<Data>;
}

/** An outcome as the registry holds it: its types are known to itself only. */
export interface AnyOutcome {
  readonly name: string;
  readonly summary: string;
  readonly of: string;
  readonly audience: Audience;
  readonly data: TObject;
  readonly subject: (event: Recorded) => string;
  readonly hiddenWith?: (event: Recorded) => string;
  readonly tell: (event: Recorded) => JsonValue;
}

/** `outcomesOf<AllEvents>()` gives the `defineOutcome` of a service, in which every outcome knows its event's data. */
export function outcomesOf<AllEvents extends DomainEvent>() {
  return <Type extends AllEvents['type'], Data extends TObject>(
    definition: OutcomeDefinition<AllEvents, Type, Data>,
  ): AnyOutcome => definition as unknown as AnyOutcome;
}
