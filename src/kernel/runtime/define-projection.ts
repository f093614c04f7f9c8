/** Defines a read model: documents of one collection as a pure function of events. */
import type { Collection, Document } from '../ports/read-model.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';

export interface Handler<Doc extends Document, Event extends DomainEvent> {
  /** Keys of the documents that the event changes; undefined or empty for none. */
  key(event: Recorded<Event>): string | readonly string[] | undefined;
  /** Returns the document after the event; undefined deletes it. Must not use clocks, other documents or randomness. */
  apply(document: Doc | undefined, event: Recorded<Event>): Doc | undefined;
}

export type Handlers<Doc extends Document, Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: Handler<Doc, Extract<Event, { type: Type }>>;
};

export interface Projection<Doc extends Document = Document> extends Collection<Doc> {
  readonly on: { readonly [type: string]: Handler<Doc, DomainEvent> | undefined };
  /**
   * Present if the documents come from files that the events of `on` name. Returns the subject of such an event: the newest
   * file of a subject contains everything from its earlier files, so only that file is read.
   */
  readonly subjectOf?: (event: Recorded) => string;
}

export interface FileDocument {
  readonly key: string;
  readonly document: Document;
}

/**
 * Reads all documents of the event's files, in slices without duplicates. Rejects with `StoreUnavailable` if their store
 * does not respond, and if a file is missing or damaged; the error message must be safe to show to anybody.
 */
export type ReadFiles = (event: Recorded) => AsyncIterable<readonly FileDocument[]>;

/**
 * True if the documents come from files: callers do not wait for such a projection, and other projections continue without
 * it.
 */
export function isFileBacked({ subjectOf }: Projection): boolean {
  return subjectOf !== undefined;
}

/**
 * `projectionsOf<AllEvents>()` returns the `defineProjection` of a service, with event data typed in every handler.
 * `version` must be raised whenever the documents would differ: then a new build is filled while the old one is read.
 */
export function projectionsOf<AllEvents extends DomainEvent>() {
  return <Doc extends Document>(
    definition: Collection<Doc> & { readonly on: Handlers<Doc, AllEvents> },
  ): Projection<Doc> => definition as unknown as Projection<Doc>;
}

/**
 * `fileProjectionsOf<AllEvents>()` returns the `defineFileProjection` of a service; `of` is the type of the events that
 * name files.
 */
export function fileProjectionsOf<AllEvents extends DomainEvent>() {
  return <Type extends AllEvents['type'], Doc extends Document>({
    of,
    subjectOf,
    ...collection
  }: Collection<Doc> & {
    readonly of: Type;
    readonly subjectOf: (event: Recorded<Extract<AllEvents, { type: Type }>>) => string;
  }): Projection<Doc> => ({
    ...collection,
    // The documents come from the event's files only.
    on: { [of]: { key: () => undefined, apply: (document) => document } },
    subjectOf: subjectOf as NonNullable<Projection['subjectOf']>,
  });
}
