/**
 * The log of everything that happened. What is promised here, `test/contracts/event-store.contract.ts` checks of every
 * adapter; rely on nothing that is not written here.
 */

/** A place in the whole log. Opaque; later positions compare greater as text. `START` is before the first. */
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
}

export type AppendResult =
  | {
      readonly outcome: 'appended';
      /** Revision and position of the last event appended. */
      readonly revision: number;
      readonly position: Position;
    }
  /** Nothing was written. `actual` is what the stream's last revision was found to be; a read that begins after that shows it. */
  | { readonly outcome: 'conflict'; readonly actual: ExpectedRevision };

export type SubscriptionMessage =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /**
   * Everything up to `position` was delivered or did not match: the end of the log, as it was then. Comes when the
   * end is first reached, also when there is nothing to deliver, and may come again whenever it is reached again.
   */
  | { readonly kind: 'caught-up'; readonly position: Position }
  /**
   * Everything up to `position` was delivered or did not match, but the end was not reached: a place to go on from. May
   * come at any time where much does not match.
   */
  | { readonly kind: 'checkpoint'; readonly position: Position };

export interface SubscribeOptions {
  /** Exclusive. */
  readonly after: Position;
  /** Only streams of these categories; all when absent. The category is the name's part before the first `-`. */
  readonly categories?: readonly string[];
  /** Ends the iteration promptly, without an error. */
  readonly signal: AbortSignal;
}

export interface EventStore {
  /**
   * Appends all events or none, durably: when the promise resolves with `appended`, a power cut cannot undo it.
   * The same call again (ids, order and expected revision the same; data is not compared) writes nothing and gives the
   * first result, also after later appends and after a restart. Only there are ids looked at: at any other expected
   * revision, in another stream, or together with other ids, they count as new events, which are appended or conflict
   * by the revision alone. So never repeat ids with a revision read anew: they would be recorded twice.
   *
   * A TypeError means that the call is malformed and nothing was written (see `append-rules.ts`: at least one event,
   * 1 MiB at most, stream names are `category-id` without `$`). Any other rejection means that the outcome is unknown:
   * repeat the identical call. Appends that do not wait for each other have no order.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<AppendResult>;

  /**
   * All events of a stream from revision `from` (0 when absent), in order; none if the stream does not exist. What is
   * appended meanwhile may be included. Ids and JSON come back as they were given, but for properties that are
   * undefined, which are left out.
   */
  read(stream: string, from?: number): AsyncIterable<RecordedEvent>;

  /**
   * Every event after a position, in the order of positions, each once, going on live for ever. A slow consumer
   * loses nothing. Leaving the loop, or `return` while a `next` is pending, ends it promptly and releases everything
   * that it held. An aborted signal and the closing of the store end it without an error; a position that
   * this store never gave may be refused.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionMessage>;

  /** The position of the last event in the log; `START` when it is empty. */
  head(): Promise<Position>;

  /**
   * From now on only the stream's last `count` events need be readable (a whole number from 1): for streams that grow for
   * ever and whose past says nothing. Older ones are not read any more, and may or may not be delivered to subscribers.
   * Revisions and expected revisions are as if they were there, but an append that wrote one of them is no longer known:
   * the same again may get its revision with a later position, or a conflict. The stream need not exist.
   * A TypeError means that the call is malformed. Any other rejection: it may or may not have been done.
   */
  keepLast(stream: string, count: number): Promise<void>;

  /** Finishes the appends that were accepted, ends the subscriptions, then releases the store. Calls after it reject. */
  close(): Promise<void>;
}
