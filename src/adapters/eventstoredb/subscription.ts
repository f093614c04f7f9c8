/** Subscription to the log in EventStoreDB: reads older events from the server, then recent ones from memory. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import {
  type Position,
  START,
  type SubscribeOptions,
  type SubscriptionMessage,
} from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import type { Connection } from './connection.ts';
import { EventStoreSilent } from './connection.ts';
import { type LogTail, RESUBSCRIBE_PAUSE } from './log-tail.ts';
import { eventOf, positionOf, positionText, requirePosition, subscriptionRequest } from './messages.ts';
import { lastRecord, refusePosition, startAfter, take } from './read-stream.ts';

interface FollowedLog {
  readonly connection: Connection;
  readonly tail: LogTail;
  readonly prefix: string;
  readonly logger: Logger;
}

/** Events delivered from memory per event-loop turn. */
const WINDOW = 256;

/** Implements the port's `subscribe`. Allocates nothing until the first `next`. */
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
        // A generator can end only between two messages, so wake it first if it waits for the next.
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
  /** Events up to the cursor were delivered or did not match. */
  const place = { cursor: after };
  /** Cursor at the last failure; repeated failures at one cursor are logged once. */
  let failedAt: Position | undefined;
  /** End of the log when the subscription began; before it, the subscription has not caught up. */
  let end: Position | undefined;
  let announced: Position | undefined;
  while (!signal.aborted) {
    try {
      if (end === undefined) {
        const found = await tail.head(signal);
        if (signal.aborted) return;
        if (after > found && after > (tail.position ?? START))
          throw new TypeError(`"${after}" is beyond the end of this event store`);
        // Only the server can check that this position exists: in a log restored from an older copy, resuming from a
        // position of the replaced log would skip events recorded since.
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
      if (place.cursor !== failedAt) logger.warn({ error: errorMessage(error) }, 'subscription interrupted');
      failedAt = place.cursor;
      await sleep(RESUBSCRIBE_PAUSE, signal);
    }
  }
}

/** Reads from the server up to the recent events in memory, or until the server has caught up. */
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
  // The server includes this record before it reports catching up, because the record existed before the subscription.
  // Events in memory may be later: they came from another node, with which this one is still catching up.
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
      // A checkpoint beyond this log's last event is not a position of this log.
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
