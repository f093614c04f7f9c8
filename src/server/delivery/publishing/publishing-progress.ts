/** How far publishing is, and why it does not go on. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { Logger } from '../../../kernel/ports/logger.ts';
import { PublisherOvertaken } from '../../../kernel/ports/publisher.ts';
import {
  detailsOf,
  type EventUndecodable,
  type UndecodableEvent,
} from '../../../kernel/runtime/event-codec.ts';
import { messageOf } from '../../../kernel/runtime/message-of.ts';

/**
 * `connecting` until the bus has reported its position, `publishing`, `waiting` for the next attempt, `blocked` at an event that cannot be
 * decoded until that is quarantined, `failed` for good because the log cannot be published, `stopped`.
 */
export type PublishingState = 'connecting' | 'publishing' | 'waiting' | 'blocked' | 'failed' | 'stopped';

export interface PublishingStatus {
  readonly state: PublishingState;
  /** Everything up to here is on the bus; undefined while unknown. */
  readonly position: Position | undefined;
  /** Why nothing is being published, for the operator. */
  readonly error: string | undefined;
  readonly blockedBy?: UndecodableEvent | undefined;
}

export interface PublishingProgress {
  status(): PublishingStatus;
  /** The bus has reported its position. */
  connected(): void;
  /** Everything up to there is on the bus. */
  reached(end: Position): void;
  blocked(error: EventUndecodable): void;
  /** The log cannot be read; `final` if it is not tried again. */
  failed(problem: unknown, final: boolean): void;
  /** Ended for good, since the log could not be read. */
  ended(): void;
  /** Publishing is tried again after this. Gives how often it was since the last success. */
  interrupted(problem: unknown): number;
  stopped(): void;
}

export function createPublishingProgress(logger: Logger): PublishingProgress {
  let state: PublishingState = 'connecting';
  let position: Position | undefined;
  let error: string | undefined;
  let unreadable: string | undefined;
  let failures = 0;
  let blockedBy: UndecodableEvent | undefined;

  return {
    status: () => ({ state, position, error, blockedBy }),

    connected() {
      if (error !== undefined) logger.warn({ after: error }, 'publishing recovered');
      state = 'publishing';
      error = undefined;
      unreadable = undefined;
      blockedBy = undefined;
    },

    reached(end) {
      if (position !== end) failures = 0;
      position = end;
      if (blockedBy !== undefined && end < blockedBy.position) return;
      if (blockedBy !== undefined) state = 'publishing';
      blockedBy = undefined;
      error = undefined;
    },

    blocked({ event, message }) {
      blockedBy = event;
      state = 'blocked';
      error = message;
      logger.warn(detailsOf(event), 'publisher waits at an event that cannot be decoded');
    },

    failed(problem, final) {
      unreadable = messageOf(problem);
      error = unreadable;
      logger.warn({ error, final }, 'publisher cannot read the log');
    },

    ended() {
      state = 'failed';
      error = unreadable;
    },

    interrupted(problem) {
      failures += 1;
      // Another publisher is not a failure; the next attempt continues after its messages.
      if (problem instanceof PublisherOvertaken) return failures;
      const isFirst = error === undefined;
      error = messageOf(problem);
      if (isFirst) logger.warn({ error }, 'publishing failed, retrying');
      state = 'waiting';
      return failures;
    },

    stopped() {
      state = 'stopped';
    },
  };
}
