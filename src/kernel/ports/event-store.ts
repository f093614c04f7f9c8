/**
 * Log of all events. `test/contracts/event-store.contract.ts` checks every adapter for the guarantees in this file; callers
 * must not rely on other behaviour.
 */

/** Position in the whole log. Opaque; later positions compare greater as text. `START` is before the first event. */
export type Position = string;

export const START: Position = '';

/** Required revision of the stream's last event, or `none` if the stream must not exist. */
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
   * Reason why data or metadata are not JSON objects; both are then empty. Only other programs can write such events. Stores
   * deliver them like any other, and readers decide how to handle them.
   */
  readonly unreadable?: string;
  /** Present with `unreadable`: stored data and metadata in base64, so that copies and hashes of the event are exact. */
  readonly raw?: { readonly data: string; readonly metadata: string };
}

export type AppendResult =
  | {
      readonly outcome: 'appended';
      /** Revision and position of the last appended event. */
      readonly revision: number;
      readonly position: Position;
    }
  /** Nothing was written. `actual` is the stream's last revision; a read that begins afterwards includes it. */
  | { readonly outcome: 'conflict'; readonly actual: ExpectedRevision };

export type SubscriptionMessage =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /**
   * All events up to `position`, the end of the log at that time, were delivered or did not match. Sent when the end is
   * first reached, even for an empty log, and possibly whenever the end is reached again.
   */
  | { readonly kind: 'caught-up'; readonly position: Position }
  /**
   * All events up to `position` were delivered or did not match, but the end was not reached; the subscription can resume
   * from here. Sent at any time if many events do not match.
   */
  | { readonly kind: 'checkpoint'; readonly position: Position };

export interface SubscribeOptions {
  /** Position after which the subscription begins. */
  readonly after: Position;
  /** Only streams of these categories; default all. The category is the part of the name before the first `-`. */
  readonly categories?: readonly string[];
  /** Ends the iteration promptly, without an error. */
  readonly signal: AbortSignal;
}

export interface WindowOptions {
  readonly direction: 'forwards' | 'backwards';
  /** Exclusive; defaults to the log's beginning or end. */
  readonly from?: Position | undefined;
  /** Maximum number of examined records, an integer from 1. If logs share a store, other logs' records count. */
  readonly limit: number;
}

export interface LogWindow {
  /** In reading direction. */
  readonly events: readonly RecordedEvent[];
  /** Start of the next window in the same direction; possibly a position without an event of this log. */
  readonly reached: Position;
  /** True if no more events existed in this direction. If false, the next window may still be empty. */
  readonly isEnd: boolean;
}

/** Amount of the log up to a position; in `bytes` if the store does not count events. */
export interface LogExtent {
  readonly unit: 'events' | 'bytes';
  readonly amount: number;
}

export interface EventStore {
  /**
   * Appends all events or none, durably: when the promise resolves with `appended`, a power failure cannot undo it.
   * Repeating the same call (same ids, order and expected revision; data is not compared) writes nothing and returns the
   * first result, even after later appends and restarts. Ids are compared only in that case: at any other expected revision,
   * in another stream, or together with other ids, they count as new events, which are appended or conflict by the revision
   * alone. So ids must never be repeated with a revision from a later read, or the events are recorded twice.
   *
   * A TypeError means that the call is malformed and nothing was written (see `append-rules.ts`: at least one event, at most
   * 1 MiB, stream names are `category-id` without `$`). After any other rejection, the outcome is unknown: repeat the
   * identical call. Concurrent appends have no order.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<AppendResult>;

  /**
   * Events of a stream from revision `from` on (default 0), in order; none if the stream does not exist. Events appended
   * during the read may be included. Ids and JSON are returned as appended, without undefined properties.
   */
  read(stream: string, from?: number): AsyncIterable<RecordedEvent>;

  /** Like `read`, but backwards, from the stream's end or from the last event before a revision. */
  readBackwards(stream: string, before?: number): AsyncIterable<RecordedEvent>;

  /**
   * Events next to a position, for callers who read the log in windows: the cost of a window does not depend on the length
   * of the log. Rejects with a TypeError for an invalid position or one beyond the log's end.
   */
  readWindow(options: WindowOptions): Promise<LogWindow>;

  /**
   * Yields every event after a position once, in the order of positions, and then delivers new events indefinitely. Slow
   * consumers lose nothing. Leaving the loop, or calling `return` while a `next` is pending, ends it promptly and releases all
   * its resources. Aborting the signal or closing the store ends it without an error. A position that this store never issued may
   * be rejected.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionMessage>;

  /** Position of the last event in the log; `START` for an empty log. */
  head(): Promise<Position>;

  /** Id of the event at a position; undefined if this log never had one there, or no longer has it. */
  idAt(position: Position): Promise<string | undefined>;

  /**
   * False for text that this store never issues as a position, and, determined within a second, for positions beyond the
   * log's end. True for every position that an append returned in any process, even if the event was deleted since.
   */
  mayHave(position: Position): Promise<boolean>;

  /** Increases with the position, including gaps; for progress reports only. 0 at the start. */
  extentOf(position: Position): LogExtent;

  /**
   * Makes only the stream's last `count` events (an integer from 1) readable from now on. It is for streams of unlimited length
   * whose past is irrelevant. Reads no longer return older events, but subscribers may still receive them. Revisions and
   * expected revisions do not change. The store no longer recognizes an append that wrote a deleted event, so repeating it may
   * return its revision with a later position, or a conflict. The stream need not exist. After a rejection, the call may or may
   * not have taken effect.
   */
  setMaxCount(stream: string, count: number): Promise<void>;

  /**
   * Suspends the deletions of `setMaxCount` until the returned function is called, so that the log can be copied while it
   * grows. Absent if appends never delete immediately.
   */
  holdCuts?(): () => void;

  /** Finishes accepted appends, ends subscriptions, then releases the store. Later calls reject. */
  close(): Promise<void>;
}
