/** State of publishing, with the reason if it is interrupted. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { Logger } from '../../../kernel/ports/logger.ts';
import { PublisherSuperseded } from '../../../kernel/ports/publisher.ts';
import { errorMessage } from '../../../kernel/runtime/error-message.ts';
import {
  detailsOf,
  type EventUndecodable,
  type UndecodableEvent,
} from '../../../kernel/runtime/event-codec.ts';

/**
 * `connecting` until the bus has reported its position, `publishing`, `waiting` for the next attempt, `blocked` until
 * an undecodable event is quarantined, `failed` permanently because the log cannot be published, `stopped`.
 */
type PublishingState = 'connecting' | 'publishing' | 'waiting' | 'blocked' | 'failed' | 'stopped';

export function createPublishingProgress(logger: Logger) {
  let state: PublishingState = 'connecting';
  /** Every outcome up to this position is on the bus; undefined while unknown. */
  let position: Position | undefined;
  /** Reason for the operator why nothing is being published. */
  let error: string | undefined;
  let unreadable: string | undefined;
  let failures = 0;
  let blockedBy: UndecodableEvent | undefined;

  return {
    status: () => ({ state, position, error, blockedBy }),

    /** Called when the bus has reported its position. */
    connected() {
      if (error !== undefined) logger.warn({ after: error }, 'publishing recovered');
      state = 'publishing';
      error = undefined;
      unreadable = undefined;
      blockedBy = undefined;
    },

    /** Called when every outcome up to `end` is on the bus. */
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
      logger.warn(
        detailsOf(event),
        'publishing is paused before an event that cannot be decoded; quarantine the event',
      );
    },

    /** Called when the log cannot be read; `final` if there is no retry. */
    failed(problem: unknown, final: boolean) {
      unreadable = errorMessage(problem);
      error = unreadable;
      logger.warn({ error, final }, 'the publisher cannot read the log');
    },

    /** Called when publishing has ended permanently, because the log could not be read. */
    ended() {
      state = 'failed';
      error = unreadable;
    },

    /** Called before a retry. Returns the number of failures since the last success. */
    interrupted(problem: unknown): number {
      failures += 1;
      // Another publisher is not a failure; the next attempt continues after its messages.
      if (problem instanceof PublisherSuperseded) return failures;
      const isFirst = error === undefined;
      error = errorMessage(problem);
      if (isFirst) logger.warn({ error }, 'publishing failed, retrying');
      state = 'waiting';
      return failures;
    },

    stopped() {
      state = 'stopped';
    },
  };
}
