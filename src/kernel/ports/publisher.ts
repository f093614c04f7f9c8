/**
 * The bus on which outcomes are published. `test/contracts/publisher.contract.ts` checks these promises of every
 * adapter.
 *
 * The bus holds each message exactly once and in the order of the log, however often publishers are killed, however
 * long none is running, and however many publish at once. Each place on the bus takes only one message, the next one in
 * the log; a publisher that offers another learns that it was overtaken. So a publisher needs no memory of its own to
 * resume: the bus itself holds the cursor.
 */
import type { Position } from './event-store.ts';

export interface PublisherMessage {
  /** The event's id. */
  readonly id: string;
  readonly position: Position;
  /** The outcome's name: `<plural>.<verb>`. */
  readonly name: string;
  /** A CloudEvent in JSON that names id, position and the log (`source`). */
  readonly body: string;
}

/** Progress of the bus, which determines the next message to publish. */
export interface PublisherCursor {
  /** The bus has everything up to this position; `START` while it has nothing. */
  readonly position: Position;
  /** The event at that position, which may be elsewhere in a log that was moved to another store; null at `START`. */
  readonly eventId: string | null;
  /**
   * The number of messages after `position` that were stored and have been removed since (by the bus' retention, or by
   * hand): do not publish them again. 0 as long as the bus keeps its last message.
   */
  readonly alreadyStored: number;
  /** Resolves with the reason as soon as nothing more can be published without another `resume`. */
  readonly lost: Promise<Error>;
}

export interface PublisherStatus {
  readonly isConnected: boolean;
  /** Connections made since the start. */
  readonly connections: number;
  /** Messages that the bus has confirmed to this publisher as stored, since the start. */
  readonly stored: number;
}

export interface Publisher {
  /**
   * Connects if necessary, and finds the bus' cursor. `source` names the log. Rejects with `PublisherUnavailable` while
   * the bus does not answer, with `PublisherRefused` if this log cannot be published there. Ends earlier calls in
   * progress; some of their messages may still be stored, but none in a wrong place.
   */
  resume(source: string, signal: AbortSignal): Promise<PublisherCursor>;

  /**
   * Stores messages, which must be the next ones in the log. Resolves when all are stored. Calls need not wait for each
   * other: they are stored in the order of the calls. Once one has failed, nothing after it is stored and every call
   * rejects until the next `resume`.
   *
   * Rejects with `PublisherOvertaken` if another publisher came first, with `PublisherUnavailable` if the bus no longer
   * answers (it is then unknown how many were stored), and with `PublisherRefused` if the bus does not accept such a
   * message.
   */
  publish(messages: readonly PublisherMessage[]): Promise<void>;

  status(): PublisherStatus;

  /** Disconnects. Calls in progress reject, but their messages may still be stored. `resume` works again afterwards. */
  release(): Promise<void>;
}

/** Another publisher came first, or the bus lost messages that it had. */
export class PublisherOvertaken extends Error {
  override readonly name = 'PublisherOvertaken';
}

/** A retry may succeed. */
export class PublisherUnavailable extends Error {
  override readonly name = 'PublisherUnavailable';
}

/** The message says what the operator has to correct. */
export class PublisherRefused extends Error {
  override readonly name = 'PublisherRefused';
}
