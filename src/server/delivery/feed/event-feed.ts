/**
 * Delivers events to subscribers: each catches up from the log at its own pace, then becomes live.
 *
 * Nothing is lost or sent twice at the change: a subscriber gets the rest from memory and becomes live in one synchronous
 * step, in which no batch can arrive.
 */

import { setMaxListeners } from 'node:events';
import type { Logger } from '../../../kernel/ports/logger.ts';
import { messageOf } from '../../../kernel/runtime/message-of.ts';
import type { StreamSink } from '../../../kernel/runtime/stream-answer.ts';
import { catchUp } from './catch-up.ts';
import { createFeedLog, type FeedLogStatus } from './feed-log.ts';
import { type FeedStart, findFeedStart } from './feed-start.ts';
import { createFeedSubscribers } from './feed-subscribers.ts';
import type { LiveLogOptions } from './live-log.ts';
import type { Selection } from './selection.ts';
import { retryBytes } from './server-sent-events.ts';
import { createSubscriber } from './subscriber.ts';

export interface EventFeedOptions
  extends Pick<LiveLogOptions, 'store' | 'readModel' | 'reader' | 'categoryOfType'> {
  /** Milliseconds between two heartbeats to every subscriber. */
  readonly heartbeat: number;
  /** Bytes that may be buffered for a live subscriber; beyond that it is disconnected, and resumes where it stopped. */
  readonly bufferBytes: number;
  readonly logger: Logger;
  /** Frames kept in memory for subscribers that come back; 1,000 by default. */
  readonly recent?: number;
  /** How long a new subscriber waits for the store. Milliseconds; 5,000 by default. */
  readonly patience?: number;
}

export interface EventFeedStatus extends FeedLogStatus {
  readonly subscribers: number;
}

export interface EventFeed {
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number;
  /**
   * Where a subscription begins: after `id`, the last id that the subscriber received; from the beginning
   * (`FROM_START`); or with the next event (undefined). Rejects with `VALIDATION_FAILED` for an id from another log,
   * with `STORE_UNAVAILABLE` or `CollectionNotLive` while the feed cannot work.
   */
  startAt(id: string | undefined): Promise<FeedStart>;
  /** Subscribers of one `source` take turns with those of others while they catch up. */
  subscribe(sink: StreamSink, selection: Selection, start: FeedStart, source: string): void;
  status(): EventFeedStatus;
  /** Ends every subscription and accepts no more. */
  close(): Promise<void>;
}

const RECENT_FRAMES = 1_000;
const PATIENCE = 5_000;
/** Milliseconds. Random, so that subscribers that were disconnected together do not all come back at once. */
const RETRY = { shortest: 1_000, longest: 5_000 };

/** Follows the log once somebody has subscribed. */
export function createEventFeed(options: EventFeedOptions): EventFeed {
  const { store, reader, logger, recent = RECENT_FRAMES, patience = PATIENCE } = options;
  const closing = new AbortController();
  const { signal } = closing;
  // Each subscriber that catches up waits for it.
  setMaxListeners(0, signal);
  const catchingUp = new Set<Promise<void>>();
  const subscribers = createFeedSubscribers(options.bufferBytes);
  const feedLog = createFeedLog({
    ...options,
    recent,
    signal,
    arrived: subscribers.send,
    ended: subscribers.endAll,
  });
  const heartbeats = setInterval(() => {
    const log = feedLog.latest();
    if (log !== undefined) subscribers.heartbeat(log);
  }, options.heartbeat);
  heartbeats.unref();

  return {
    heartbeat: options.heartbeat,
    startAt: (id) => findFeedStart(id, { store, openedLog: feedLog.opened, patience }),

    subscribe(sink, selection, start, source) {
      const log = feedLog.latest();
      const { state } = feedLog.status();
      if (log === undefined || (state !== 'running' && state !== 'blocked')) {
        sink.end();
        return;
      }
      const subscriber = createSubscriber(sink, selection, start, source);
      subscribers.add(subscriber);
      sink.write(retryBytes(retryAfter()));
      const work = catchUp(subscriber, { log, subscribers, reader, signal }).catch((error: unknown) => {
        if (signal.aborted) return;
        logger.warn({ error: messageOf(error) }, 'subscriber failed to catch up');
        sink.cut();
      });
      catchingUp.add(work);
      work.then(() => catchingUp.delete(work));
    },

    status: () => ({ ...feedLog.status(), subscribers: subscribers.size }),

    async close() {
      feedLog.close();
      clearInterval(heartbeats);
      subscribers.endAll();
      closing.abort();
      await feedLog.ended();
      await Promise.all(catchingUp);
    },
  };
}

function retryAfter(): number {
  const { shortest, longest } = RETRY;
  return Math.round(shortest + Math.random() * (longest - shortest));
}
