/**
 * The log of all events. `test/contracts/event-store.contract.ts` checks of every adapter what this file promises; rely
 * on nothing else.
 */

/** A place in the whole log. Opaque; later positions compare greater as text. `START` comes before the first event. */
export type Position = string;

export const START: Position = '';

/** The revision that the stream's last event must have, or `none` if the stream must not exist. */
export type ExpectedRevision = number | 'none';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export interface EventToAppend {
  /** UUID in lower case. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

export interface RecordedEvent extends EventToAppend {
  readonly stream: string;
  /** 0 for the first event of its stream. */
  readonly revision: number;
  readonly position: Position;
  /**
   * Why data or metadata are not JSON objects; both are then empty. Only another program can have written such an
   * event: stores deliver it like any other, and readers decide what it stops.
   */
  readonly unreadable?: string;
  /** With `unreadable`: what is stored in their place, in base64, so that a copy or a hash of the event loses nothing. */
  readonly raw?: { readonly data: string; readonly metadata: string };
}

export type AppendResult =
  | {
      readonly outcome: 'appended';
      /** Revision and position of the last event appended. */
      readonly revision: number;
      readonly position: Position;
    }
  /** Nothing was written. `actual` is the stream's last revision as found; a read that begins afterwards shows it. */
  | { readonly outcome: 'conflict'; readonly actual: ExpectedRevision };

export type SubscriptionMessage =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /**
   * Everything up to `position`, the end of the log at that time, was delivered or did not match. Comes when the end is
   * first reached, even if there was nothing to deliver, and may come again whenever the end is reached again.
   */
  | { readonly kind: 'caught-up'; readonly position: Position }
  /**
   * Everything up to `position` was delivered or did not match, but the end was not reached: a position to resume from.
   * May come at any time when many events do not match.
   */
  | { readonly kind: 'checkpoint'; readonly position: Position };

export interface SubscribeOptions {
  /** Exclusive. */
  readonly after: Position;
  /**
   * Only streams of these categories; all categories when absent. The category is the part of the name before the first
   * `-`.
   */
  readonly categories?: readonly string[];
  /** Ends the iteration promptly, without an error. */
  readonly signal: AbortSignal;
}

export interface WindowOptions {
  readonly direction: 'forwards' | 'backwards';
  /** Exclusive; the log's beginning, or its end, when absent. */
  readonly from?: Position | undefined;
  /** Maximum records examined: a whole number from 1. If logs share a store, other logs' records count. */
  readonly limit: number;
}

export interface LogWindow {
  /** In the direction of the reading. */
  readonly events: readonly RecordedEvent[];
  /** Start of the next window in the same direction; there need not be an event of this log. */
  readonly reached: Position;
  /** Nothing more was there in this direction. Without it the next window may still be empty. */
  readonly isEnd: boolean;
}

/** Amount of the log up to a position. `bytes` if the store does not count events. */
export interface LogExtent {
  readonly unit: 'events' | 'bytes';
  readonly amount: number;
}

export interface EventStore {
  /**
   * Appends all events or none, durably: when the promise resolves with `appended`, a power cut cannot undo it.
   * Repeating the same call (same ids, order and expected revision; data is not compared) writes nothing and gives the
   * first result, even after later appends and after a restart. Ids are compared only in that case: at any other
   * expected revision, in another stream, or together with other ids, they count as new events, which are appended or
   * conflict by the revision alone. So never repeat ids with a revision that was read again: the events would be
   * recorded twice.
   *
   * A TypeError means that the call is malformed and nothing was written (see `append-rules.ts`: at least one event, 1
   * MiB at most, stream names are `category-id` without `$`). Any other rejection means that the outcome is unknown:
   * repeat the identical call. Appends that do not wait for each other have no order.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<AppendResult>;

  /**
   * All events of a stream from revision `from` (0 when absent), in order; none if the stream does not exist. Events
   * appended during the read may be included. Ids and JSON are returned as they were appended, without the properties
   * that were undefined.
   */
  read(stream: string, from?: number): AsyncIterable<RecordedEvent>;

  /** The same from the stream's end, or from the last event before a revision, to its beginning. */
  readBackwards(stream: string, before?: number): AsyncIterable<RecordedEvent>;

  /**
   * The events next to a position, for callers who look through the log in pieces: what a window costs does not depend on
   * the length of the log. Rejects with a TypeError for a position that cannot be one of this log, or is beyond its end.
   */
  readWindow(options: WindowOptions): Promise<LogWindow>;

  /**
   * Every event after a position, in the order of positions, each once, continuing live without end. A slow consumer
   * loses nothing. Leaving the loop, or calling `return` while a `next` is pending, ends it promptly and releases all
   * its resources. An aborted signal and the closing of the store end it without an error. A position that this store
   * never issued may be refused.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionMessage>;

  /** The position of the last event in the log; `START` when it is empty. */
  head(): Promise<Position>;

  /** The id of the event at a position; undefined where this log has none there, or no longer. */
  idAt(position: Position): Promise<string | undefined>;

  /**
   * False for what can be no position of this log: text that this store never issues, and, found out within a second, a place
   * beyond the log's end. A position that an append has returned anywhere is never denied, even if its event was cut since.
   */
  mayHave(position: Position): Promise<boolean>;

  /** Grows with the position, for showing progress only: gaps count as well. 0 at the start. */
  extentOf(position: Position): LogExtent;

  /**
   * From now on only the stream's last `count` events (a whole number from 1) need to be readable: for streams that
   * grow without end and whose past is worthless. Reads no longer return older events; subscribers may or may not get
   * them. Revisions and expected revisions stay as if the older events were there, but the store no longer recognizes
   * an append that wrote one of them: repeating it may give its revision with a later position, or a conflict. The
   * stream need not exist. A TypeError means that the call is malformed; after any other rejection it may or may not
   * have taken effect.
   */
  keepLast(stream: string, count: number): Promise<void>;

  /**
   * Where streams are cut as soon as they grow (`keepLast`): nothing is cut until the returned function is called, so that
   * the log can be copied while it grows.
   */
  holdCuts?(): () => void;

  /** Finishes the accepted appends, ends the subscriptions, then releases the store. Later calls reject. */
  close(): Promise<void>;
}
