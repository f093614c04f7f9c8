/**
 * The bus on which outcomes are published. What is promised here is checked of every adapter by
 * `test/contracts/publisher.contract.ts`.
 *
 * The bus holds each message exactly once and in the order of the log, however often publishers are killed, however long none
 * was there, and however many publish at once: each place on the bus takes one message only, the one that comes next in
 * the log, and whoever offers another is told that it was overtaken. So nothing that a publisher remembers is needed to go
 * on: the bus itself says where it stands.
 */
import type { Position } from './event-store.ts';

export interface PublisherMessage {
  /** The event's id. */
  readonly id: string;
  readonly position: Position;
  /** The outcome's name: `<plural>.<verb>`. */
  readonly name: string;
  /** A CloudEvent in JSON that tells id, position and the log (`source`). */
  readonly body: string;
}

/** Where the bus stands, and what is to be published next. */
export interface PublisherCursor {
  /** The bus has everything up to here; `START` while it has nothing. */
  readonly position: Position;
  /**
   * The number of messages after `position` that were stored as well and have been removed since (by the bus' retention,
   * or by hand): they are not to be published again. 0 as long as the bus keeps its last message.
   */
  readonly alreadyStored: number;
  /** Resolves, with why, as soon as nothing more can be published but after another `resume`. */
  readonly lost: Promise<Error>;
}

export interface PublisherStatus {
  readonly isConnected: boolean;
  /** How often a connection was made, ever. */
  readonly connections: number;
  /** Messages that the bus was found to have stored, as it told this publisher, ever. */
  readonly stored: number;
}

export interface Publisher {
  /**
   * Connects if need be, and finds out where the bus stands. `source` names the log. Rejects with `PublisherUnavailable`
   * while the bus does not answer, with `PublisherRefused` if this log cannot be published there. Ends what was under way
   * before; of that, some may still be stored, but nothing in a wrong place.
   */
  resume(source: string, signal: AbortSignal): Promise<PublisherCursor>;

  /**
   * Stores messages, which must be those that come next in the log. Resolves when all are stored. Calls need not wait
   * for each other: they are stored in the order of the calls. Once one has failed, nothing after it is stored and every
   * call rejects until the next `resume`.
   *
   * Rejects with `PublisherOvertaken` if another publisher came first, with `PublisherUnavailable` if the bus does not
   * answer any more, which leaves open how many were stored, and with `PublisherRefused` if it takes no such message.
   */
  publish(messages: readonly PublisherMessage[]): Promise<void>;

  status(): PublisherStatus;

  /** Disconnects. What is under way rejects, and may be stored all the same. `resume` works after it. */
  release(): Promise<void>;
}

/** Another publisher came first, or the bus lost what it had. */
export class PublisherOvertaken extends Error {
  override readonly name = 'PublisherOvertaken';
}

/** It is worth trying again. */
export class PublisherUnavailable extends Error {
  override readonly name = 'PublisherUnavailable';
}

/** The message is a sentence for the operator, who has to correct something. */
export class PublisherRefused extends Error {
  override readonly name = 'PublisherRefused';
}
