/** A subscription to the log in EventStoreDB: reads from the server up to the recent events, then those from memory. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import {
  type Position,
  START,
  type SubscribeOptions,
  type SubscriptionMessage,
} from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import type { Connection } from './connection.ts';
import { EventStoreSilent } from './connection.ts';
import { type LogTail, RESUBSCRIBE_PAUSE } from './log-tail.ts';
import { eventOf, positionOf, positionText, requirePosition, subscriptionRequest } from './messages.ts';
import { lastRecord, refusePosition, startAfter, take } from './reading.ts';

interface FollowedLog {
  readonly connection: Connection;
  readonly tail: LogTail;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  readonly logger: Logger;
}

/** Events delivered from memory before other work gets its turn. */
const WINDOW = 256;

/** The port's `subscribe`. Holds nothing until the first `next`. */
export function subscribeToLog(
  log: FollowedLog,
  options: SubscribeOptions,
): AsyncIterable<SubscriptionMessage> {
  return {
    [Symbol.asyncIterator]() {
      const leaving = new AbortController();
      const messages = follow(log, options, leaving);
      return {
        next: () => messages.next(),
        // A generator can be ended only between two messages; one that waits for the next must be woken first.
        return: () => {
          leaving.abort();
          return messages.return();
        },
      };
    },
  };
}

async function* follow(
  log: FollowedLog,
  options: SubscribeOptions,
  leaving: AbortController,
): AsyncGenerator<SubscriptionMessage, void> {
  const { tail } = log;
  if (tail.ending.aborted) throw new EventStoreSilent('the event store is closed');
  requirePosition(options.after);
  const leave = () => leaving.abort();
  const ends = [tail.ending, options.signal];
  for (const end of ends) end.addEventListener('abort', leave);
  if (options.signal.aborted) leave();
  tail.begin();
  try {
    yield* deliver(log, options, leaving.signal);
  } finally {
    for (const end of ends) end.removeEventListener('abort', leave);
  }
}

async function* deliver(
  log: FollowedLog,
  { after, categories }: SubscribeOptions,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionMessage, void> {
  const { connection, tail, logger } = log;
  const wanted = categories && new Set(categories);
  /** Everything up to the cursor was delivered or did not match. */
  const place = { cursor: after };
  /** Place of the last failure; several failures at one place are reported once. */
  let failedAt: Position | undefined;
  /** The log's end when the subscription began: before it, the subscription has not caught up. */
  let end: Position | undefined;
  let announced: Position | undefined;
  while (!signal.aborted) {
    try {
      if (end === undefined) {
        const found = await tail.head(signal);
        if (signal.aborted) return;
        if (after > found && after > (tail.position ?? START))
          throw new TypeError(`"${after}" is beyond the end of this event store`);
        // Recent events are not asked of the server, which alone knows whether there ever was this position: one
        // of a log that was put back from an older copy would pass over what was recorded before it since.
        if (after < found) await startAfter(connection, after, signal).catch(refusePosition);
        end = found;
      }
      if (tail.floor === undefined || tail.position === undefined) {
        await tail.changed(signal);
        continue;
      }
      if (place.cursor < tail.floor) {
        yield* catchUp(log, place, categories, signal);
        continue;
      }
      const events = tail.after(place.cursor, WINDOW);
      for (const event of events) {
        place.cursor = event.position;
        if (wanted !== undefined && !wanted.has(categoryOf(event.stream))) continue;
        yield { kind: 'event', event };
        if (signal.aborted) return;
      }
      if (events.length > 0) {
        await nextTurn();
        continue;
      }
      if (place.cursor >= end && place.cursor !== announced) {
        announced = place.cursor;
        yield { kind: 'caught-up', position: place.cursor };
        continue;
      }
      await tail.changed(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TypeError) throw error;
      if (place.cursor !== failedAt) logger.warn({ error: messageOf(error) }, 'subscription interrupted');
      failedAt = place.cursor;
      await sleep(RESUBSCRIBE_PAUSE, signal);
    }
  }
}

/** Up to the recent events, or for a while. */
async function* catchUp(
  { connection, tail, prefix }: FollowedLog,
  place: { cursor: Position },
  categories: readonly string[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionMessage, void> {
  const known = tail.position ?? place.cursor;
  if (categories?.length === 0) {
    place.cursor = known;
    return;
  }
  // When the server says that it has sent everything, this is included, for it was there before it was asked. The
  // recent events may reach further: they came from another node, which this one is still catching up with.
  const last = await lastRecord(connection, signal);
  const end = last === undefined ? START : positionOf(last);
  const reached = known < end ? known : end;
  const prefixes = categories?.map((category) => `${prefix}${category}-`) ?? [prefix];
  const start = await startAfter(connection, place.cursor, signal);
  for await (const message of take(connection, subscriptionRequest(start, prefixes), { signal })) {
    const record = message.getEvent()?.getEvent();
    const event = record && eventOf(record, prefix);
    const checkpoint = message.getCheckpoint();
    if (event !== undefined && event.position > place.cursor) {
      place.cursor = event.position;
      yield { kind: 'event', event };
    } else if (checkpoint !== undefined) {
      const position = positionText(checkpoint.getCommitPosition());
      // Beyond this log's last event it would not be one of its positions.
      if (position > place.cursor && position < reached) {
        place.cursor = position;
        yield { kind: 'checkpoint', position };
      }
    } else if (message.getCaughtUp() !== undefined) {
      if (reached > place.cursor) place.cursor = reached;
      return;
    }
    if (signal.aborted || place.cursor >= (tail.floor ?? '')) return;
  }
}
