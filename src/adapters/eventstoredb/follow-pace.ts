/** When a subscription that has ended begins again, and what is said of it meanwhile. */

import type { Position } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { codeOf } from './connection.ts';

export interface FollowPace {
  /** Why the log cannot be followed; undefined while it is. */
  readonly trouble: string | undefined;
  connected(): void;
  /** The server has sent a message of any kind. */
  answered(): void;
  broughtEvent(): void;
  /** Milliseconds until the next try. `position`: up to where the log was followed. */
  failed(error: unknown, position: Position | undefined): number;
}

/** Code of gRPC. */
const ABORTED = 10;

const PAUSES = [20, 100, 250, 500];
const LONGEST_PAUSE = 1_000;

/** A subscription that has lasted this long, or brought an event, begins with short pauses again. Milliseconds. */
const STEADY_AFTER = 5_000;

/** By the number of failures before. */
export function followPause(failures: number): number {
  return PAUSES[failures] ?? LONGEST_PAUSE;
}

export function createFollowPace(logger: Logger, now: () => number = () => performance.now()): FollowPace {
  let failures = 0;
  let trouble: string | undefined;
  let begun = 0;
  /** The position at which the server last dropped the subscription for being slow. */
  let droppedAt: Position | undefined;
  return {
    get trouble() {
      return trouble;
    },
    connected() {
      begun = now();
    },
    answered() {
      if (trouble !== undefined) logger.warn({}, 'event log subscription restored');
      trouble = undefined;
      if (now() - begun >= STEADY_AFTER) failures = 0;
    },
    broughtEvent() {
      failures = 0;
    },
    failed(error, position) {
      // The server drops subscribers that fall behind for a moment: subscribe again, and say nothing.
      if (codeOf(error) === ABORTED && position !== droppedAt) {
        droppedAt = position;
        return 0;
      }
      if (trouble === undefined) logger.warn({ error: messageOf(error) }, 'event log subscription lost');
      trouble = messageOf(error);
      failures += 1;
      return followPause(failures - 1);
    },
  };
}
