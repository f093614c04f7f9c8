/** Progress of publishing, and why it does not go on. */
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
type PublishingState = 'connecting' | 'publishing' | 'waiting' | 'blocked' | 'failed' | 'stopped';

export function createPublishingProgress(logger: Logger) {
  let state: PublishingState = 'connecting';
  /** Everything up to here is on the bus; undefined while unknown. */
  let position: Position | undefined;
  /** Why nothing is being published, for the operator. */
  let error: string | undefined;
  let unreadable: string | undefined;
  let failures = 0;
  let blockedBy: UndecodableEvent | undefined;

  return {
    status: () => ({ state, position, error, blockedBy }),

    /** The bus has reported its position. */
    connected() {
      if (error !== undefined) logger.warn({ after: error }, 'publishing recovered');
      state = 'publishing';
      error = undefined;
      unreadable = undefined;
      blockedBy = undefined;
    },

    /** Everything up to there is on the bus. */
    reached(end: Position) {
      if (position !== end) failures = 0;
      position = end;
      if (blockedBy !== undefined && end < blockedBy.position) return;
      if (blockedBy !== undefined) state = 'publishing';
      blockedBy = undefined;
      error = undefined;
    },

    blocked({ event, message }: EventUndecodable) {
      blockedBy = event;
      state = 'blocked';
      error = message;
      logger.warn(detailsOf(event), 'publisher waits at an event that cannot be decoded');
    },

    /** The log cannot be read; `final` if it is not tried again. */
    failed(problem: unknown, final: boolean) {
      unreadable = messageOf(problem);
      error = unreadable;
      logger.warn({ error, final }, 'publisher cannot read the log');
    },

    /** Ended for good, since the log could not be read. */
    ended() {
      state = 'failed';
      error = unreadable;
    },

    /** Publishing is tried again after this. Returns the number of failures since the last success. */
    interrupted(problem: unknown): number {
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
