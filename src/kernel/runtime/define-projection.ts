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
  /**
   * Given where the documents come from files that the events of `on` name: what such an event is about. Its file says all that
   * the files of earlier events about the same said, so that only the newest need be read.
   */
  readonly subjectOf?: (event: Recorded) => string;
}

export interface FiledDocument {
  readonly key: string;
  readonly document: Document;
}

/**
 * All documents of the files that the event names, in slices, none of them twice. Rejects with `StoreUnavailable` where their store
 * does not answer, and where a file is missing or damaged; the error's message is shown to anybody.
 */
export type ReadFiles = (event: Recorded) => AsyncIterable<readonly FiledDocument[]>;

/** True if its documents come from files: then nobody waits for them, and readers of everything else continue without. */
export function isFiled({ subjectOf }: Projection): boolean {
  return subjectOf !== undefined;
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

/** `filedProjectionsOf<AllEvents>()` gives the `defineFiledProjection` of a service: `of` is the type of the events that name files. */
export function filedProjectionsOf<AllEvents extends DomainEvent>() {
  return <Type extends AllEvents['type'], Doc extends Document>({
    of,
    subjectOf,
    ...collection
  }: Collection<Doc> & {
    readonly of: Type;
    readonly subjectOf: (event: Recorded<Extract<AllEvents, { type: Type }>>) => string;
  }): Projection<Doc> => ({
    ...collection,
    // The event alone changes no document.
    on: { [of]: { key: () => undefined, apply: (document) => document } },
    subjectOf: subjectOf as NonNullable<Projection['subjectOf']>,
  });
}
