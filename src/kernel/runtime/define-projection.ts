/** Describes a read model: documents of one collection as a pure function of events. */
import type { Collection, Document } from '../ports/read-model.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';

export interface Handler<Doc extends Document, Event extends DomainEvent> {
  /** The documents that the event touches; undefined or none if it touches none. */
  key(event: Recorded<Event>): string | readonly string[] | undefined;
  /** The document after the event; undefined deletes it. No clock, no look-up, no randomness. */
  apply(document: Doc | undefined, event: Recorded<Event>): Doc | undefined;
}

export type Handlers<Doc extends Document, Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: Handler<Doc, Extract<Event, { type: Type }>>;
};

export interface Projection<Doc extends Document = Document> extends Collection<Doc> {
  readonly on: { readonly [type: string]: Handler<Doc, DomainEvent> | undefined };
}

/**
 * `projectionsOf<AllEvents>()` gives the `defineProjection` of a service, in which every handler knows its event's
 * data. Raise `version` whenever the documents would come out differently: it is then rebuilt beside the old one.
 */
export function projectionsOf<AllEvents extends DomainEvent>() {
  return <Doc extends Document>(
    definition: Collection<Doc> & { readonly on: Handlers<Doc, AllEvents> },
  ): Projection<Doc> => definition as unknown as Projection<Doc>;
}
