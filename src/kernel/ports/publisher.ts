/**
 * Bus on which outcomes are published. `test/contracts/publisher.contract.ts` checks these guarantees of every adapter.
 *
 * The bus stores each message exactly once and in the order of the log, however often publishers are killed, however long
 * none is running, and however many publish concurrently. Each sequence on the bus accepts only one message, the next one in
 * the log; a publisher that offers another message is reported as overtaken. So a publisher needs no storage to resume: the
 * bus itself stores the cursor.
 */
import type { Position } from './event-store.ts';

export interface PublisherMessage {
  readonly id: string;
  readonly position: Position;
  /** Name of the outcome: `<plural>.<verb>`. */
  readonly name: string;
  /** CloudEvent in JSON that contains id, position and the log (`source`). */
  readonly body: string;
}

/** Progress of the bus, which determines the next message to publish. */
export interface PublisherCursor {
  /** Position up to which the bus has all messages; `START` for an empty bus. */
  readonly position: Position;
  /** Event at that position, which may have another position in a log moved to another store; null at `START`. */
  readonly eventId: string | null;
  /**
   * Number of messages after `position` that were stored and removed since (by the bus' retention, or manually), and must
   * not be published again. 0 while the bus retains its last message.
   */
  readonly alreadyStored: number;
  /** Resolves with the reason once publishing requires another `resume`. */
  readonly lost: Promise<Error>;
}

export interface PublisherStatus {
  readonly isConnected: boolean;
  /** Number of connections since startup. */
  readonly connections: number;
  /** Number of messages confirmed by the bus to this publisher since startup. */
  readonly stored: number;
}

export interface Publisher {
  /**
   * Connects if necessary, and reads the cursor of the bus. `source` identifies the log. Rejects with `PublisherUnavailable`
   * while the bus does not respond, and with `PublisherRefused` if this log cannot be published there. Ends earlier calls in
   * progress; some of their messages may still be stored, but none at a wrong sequence.
   */
  resume(source: string, signal: AbortSignal): Promise<PublisherCursor>;

  /**
   * Stores messages, which must be the next ones in the log. Resolves when all are stored. Concurrent calls are allowed, and
   * stored in call order. Once one has failed, nothing after it is stored and every call rejects until the next `resume`.
   *
   * Rejects with `PublisherSuperseded` if another publisher came first, with `PublisherUnavailable` if the bus no longer
   * responds (the number of stored messages is then unknown), and with `PublisherRefused` if the bus does not accept such a
   * message.
   */
  publish(messages: readonly PublisherMessage[]): Promise<void>;

  status(): PublisherStatus;

  /** Disconnects. Calls in progress reject, but their messages may still be stored. `resume` may be called again. */
  release(): Promise<void>;
}

/** Another publisher came first, or the bus lost messages. */
export class PublisherSuperseded extends Error {
  override readonly name = 'PublisherOvertaken';
}

/** A retry may succeed. */
export class PublisherUnavailable extends Error {
  override readonly name = 'PublisherUnavailable';
}

/** The message states what the operator must correct. */
export class PublisherRefused extends Error {
  override readonly name = 'PublisherRefused';
}
