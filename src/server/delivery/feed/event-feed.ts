/**
 * Delivers events to subscribers. Each catches up from the log at its own pace, then becomes live.
 *
 * The switch neither loses nor repeats an event: a subscriber gets the rest from memory and becomes live in one
 * synchronous step, in which no batch can be received.
 */

import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { type Position, START } from '../../../kernel/ports/event-store.ts';
import type { Logger } from '../../../kernel/ports/logger.ts';
import { CollectionNotLive } from '../../../kernel/ports/read-model.ts';
import type { StreamSink } from '../../../kernel/runtime/define-query.ts';
import { errorMessage } from '../../../kernel/runtime/error-message.ts';
import { detailsOf, EventUndecodable, type UndecodableEvent } from '../../../kernel/runtime/event-codec.ts';
import { Rejection } from '../../../kernel/runtime/rejection.ts';
import { rejection } from '../../../streams/rejections.ts';
import { checkpointBytes, type Frame, HEARTBEAT, positionIn, retryBytes } from './frames.ts';
import { type LiveLog, type LiveLogOptions, openLiveLog } from './live-log.ts';
import type { Selection } from './selection.ts';

export interface EventFeedOptions
  extends Pick<LiveLogOptions, 'store' | 'readModel' | 'reader' | 'categoryOfType'> {
  /** Milliseconds between two heartbeats to every subscriber. */
  readonly heartbeat: number;
  /** Bytes buffered for a live subscriber; a slower one is disconnected, and resumes where it stopped. */
  readonly bufferBytes: number;
  readonly logger: Logger;
  /** Frames in memory for subscribers that reconnect; 1,000 by default. */
  readonly recent?: number;
  /** Longest wait of a new subscriber for the store. Milliseconds; 5,000 by default. */
  readonly patience?: number;
}

/** `idle` until the first subscription. */
type FeedState = 'idle' | 'running' | 'failed' | 'closed';

interface FeedStart {
  /** Exclusive. */
  readonly position: Position;
  /** Id for reconnecting if the connection is lost immediately. */
  readonly lastSent: Position;
}

export type EventFeed = ReturnType<typeof createEventFeed>;

const RECENT_FRAMES = 1_000;
const TIMEOUT = 5_000;
/** Bounds of the random reconnection delay in milliseconds; random, so that subscribers do not all reconnect at the same time. */
const RETRY = { shortest: 1_000, longest: 5_000 };
/** Milliseconds between two reads of an event that cannot be decoded. */
const BLOCKED_PAUSE = 5_000;
/** Bytes per write to a subscriber that catches up; the next write waits until they are read. */
const READ_BYTES = 64 * 1024;
/** Start of the log; not a valid position. */
const FROM_START = 'start';

interface Subscriber {
  readonly sink: StreamSink;
  readonly selection: Selection;
  /** Network of the subscriber; the feed serves networks in rotation, however many subscribers each has. */
  readonly source: string;
  /** Every event up to this position has been sent or is not selected. */
  position: Position;
  /** Last id sent, from which the subscriber would resume; `START` before the first. */
  lastSent: Position;
  /** True once the subscriber has caught up; it then gets each batch immediately. */
  isLive: boolean;
}

/** Subscribes to the log when the first subscriber connects. */
export function createEventFeed(options: EventFeedOptions) {
  const { store, reader, logger, recent = RECENT_FRAMES, patience = TIMEOUT } = options;
  const closing = new AbortController();
  const { signal } = closing;
  // Each subscriber that catches up adds listeners to the signal.
  setMaxListeners(0, signal);
  const catchingUp = new Set<Promise<void>>();
  const subscribers = new Set<Subscriber>();
  let opening: Promise<LiveLog> | undefined;
  let log: LiveLog | undefined;
  let state: FeedState = 'idle';
  let blockedBy: UndecodableEvent | undefined;
  const heartbeats = setInterval(() => {
    if (log !== undefined) for (const subscriber of [...subscribers]) sendSignOfLife(subscriber, log);
  }, options.heartbeat).unref();

  /** Disconnects live subscribers that have too many unread bytes. */
  function send(frames: readonly Frame[], { hidden }: LiveLog): void {
    for (const subscriber of [...subscribers].filter(({ isLive }) => isLive)) {
      if (subscriber.sink.waiting > options.bufferBytes) subscriber.sink.cut();
      else sendSelected(subscriber, frames, hidden);
    }
  }

  function endAll(): void {
    for (const { sink } of [...subscribers]) sink.end();
  }

  async function open(): Promise<LiveLog> {
    const opened = await openLiveLog({
      ...options,
      recent,
      signal,
      arrived(frames, live) {
        if (blockedBy !== undefined && live.recent.head >= blockedBy.position) blockedBy = undefined;
        send(frames, live);
      },
      failed: (error, final) =>
        logger.warn({ error: errorMessage(error), final }, 'the event feed cannot read the log'),
      blocked({ event }) {
        blockedBy = event;
        logger.warn(
          detailsOf(event),
          'the event feed is paused before an event that cannot be decoded; quarantine the event',
        );
      },
    });
    if (opened === undefined) throw feedUnavailableRejection();
    log = opened;
    state = 'running';
    void opened.ended.then(() => {
      if (state === 'running') state = 'failed';
      endAll();
    });
    return opened;
  }

  /** Opens the live log once. Rejects with `STORE_UNAVAILABLE` after a permanent failure, and while it cannot be opened. */
  async function openedLog(): Promise<LiveLog> {
    if (state === 'failed' || state === 'closed') throw feedUnavailableRejection();
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  async function startOf(id: string | undefined): Promise<FeedStart> {
    const { mark } = await openedLog();
    if (id === undefined) return { position: await store.head(), lastSent: START };
    if (id === FROM_START) return { position: START, lastSent: START };
    const position = positionIn(id, mark);
    if (position === undefined || !(await store.mayHave(position))) throw unknownPositionRejection();
    return { position, lastSent: position };
  }

  /** Sends a subscriber the events it has missed, at its own pace. Resolves when it is live, or has left. */
  async function catchUp(subscriber: Subscriber, live: LiveLog): Promise<void> {
    while (subscribers.has(subscriber)) {
      if (subscriber.position < live.recent.floor) {
        try {
          await sendBacklog(subscriber, live);
        } catch (error) {
          if (!(error instanceof EventUndecodable)) throw error;
          await reader.pause(BLOCKED_PAUSE, signal);
        }
      } else if (sendSelected(subscriber, live.recent.after(subscriber.position), live.hidden, READ_BYTES)) {
        // No batch is received before the subscriber is live, so nothing is skipped or sent twice.
        subscriber.isLive = true;
        sendCheckpoint(subscriber, live);
        return;
      }
      await subscriber.sink.drained();
      // Yields to other work, however long the backlog is.
      await nextTurn();
    }
  }

  async function sendBacklog(subscriber: Subscriber, { readBacklog, hidden }: LiveLog): Promise<void> {
    const { frames, position } = await readBacklog(subscriber.position, {
      source: subscriber.source,
      isHere: () => subscribers.has(subscriber),
    });
    let rest = frames;
    while (!sendSelected(subscriber, rest, hidden, READ_BYTES)) {
      await subscriber.sink.drained();
      rest = rest.filter((frame) => frame.position > subscriber.position);
    }
    moveTo(subscriber, position);
  }

  return {
    /** Milliseconds between two heartbeats. */
    heartbeat: options.heartbeat,

    /**
     * Returns the start of a subscription. It is after `id` (the last id that the subscriber received), at the beginning of the
     * log (`FROM_START`), or at the next event (undefined). Rejects with `VALIDATION_FAILED` for an id from another log, and
     * with `STORE_UNAVAILABLE` or `CollectionNotLive` while the feed is unavailable.
     */
    async startAt(id: string | undefined): Promise<FeedStart> {
      // The feed retries a store that fails; a caller must not wait that long.
      try {
        return await pTimeout(startOf(id), {
          milliseconds: patience,
          fallback: () => {
            throw feedUnavailableRejection();
          },
        });
      } catch (error) {
        if (error instanceof Rejection || error instanceof CollectionNotLive) throw error;
        throw feedUnavailableRejection(error);
      }
    },

    /** Subscribers alternate by `source` while they catch up. */
    subscribe(sink: StreamSink, selection: Selection, start: FeedStart, source: string): void {
      if (log === undefined || state !== 'running') {
        sink.end();
        return;
      }
      const subscriber = { sink, selection, source, ...start, isLive: false };
      subscribers.add(subscriber);
      sink.onEnd(() => subscribers.delete(subscriber));
      sink.write(retryBytes(RETRY.shortest + Math.random() * (RETRY.longest - RETRY.shortest)));
      const work = catchUp(subscriber, log).catch((error: unknown) => {
        if (signal.aborted) return;
        logger.warn({ error: errorMessage(error) }, 'catching up failed; the subscriber is disconnected');
        sink.cut();
      });
      catchingUp.add(work);
      work.then(() => catchingUp.delete(work));
    },

    status: () => ({
      /** `blocked` while the next event cannot be decoded. */
      state: state === 'running' && blockedBy !== undefined ? 'blocked' : state,
      blockedBy,
      /** Every event up to this position has been sent to live subscribers. */
      position: log?.recent.head ?? START,
      subscribers: subscribers.size,
    }),

    /** Ends every subscription and refuses new ones. */
    async close(): Promise<void> {
      state = 'closed';
      clearInterval(heartbeats);
      endAll();
      closing.abort();
      await opening?.catch(() => undefined);
      await log?.ended;
      await Promise.all(catchingUp);
    },
  };
}

function moveTo(subscriber: Subscriber, reached: Position): void {
  if (reached > subscriber.position) subscriber.position = reached;
}

/** Sends the selected frames, in order, until `most` bytes are written. Returns true if it reached the last frame. */
function sendSelected(
  subscriber: Subscriber,
  frames: readonly Frame[],
  hidden: ReadonlySet<string>,
  most = Number.POSITIVE_INFINITY,
): boolean {
  const wanted: Buffer[] = [];
  let length = 0;
  for (const frame of frames) {
    if (frame.position <= subscriber.position) continue;
    if (length >= most) break;
    subscriber.position = frame.position;
    if (!subscriber.selection.wants(frame, hidden)) continue;
    wanted.push(frame.bytes());
    length += frame.bytes().length;
    subscriber.lastSent = frame.position;
  }
  const [only] = wanted;
  // All subscribers share the bytes of a frame.
  if (only !== undefined) subscriber.sink.write(wanted.length === 1 ? only : Buffer.concat(wanted, length));
  return subscriber.position >= (frames.at(-1)?.position ?? subscriber.position);
}

/** Sends the subscriber's position, unless the last id sent already equals it. Returns true if it was sent. */
function sendCheckpoint(subscriber: Subscriber, log: LiveLog): boolean {
  if (subscriber.isLive) moveTo(subscriber, log.recent.head);
  if (subscriber.position <= subscriber.lastSent) return false;
  subscriber.sink.write(checkpointBytes(subscriber.position, log));
  subscriber.lastSent = subscriber.position;
  return true;
}

/** Sends nothing to a subscriber with unread bytes. */
function sendSignOfLife(subscriber: Subscriber, log: LiveLog): void {
  const { sink } = subscriber;
  if (sink.waiting === 0 && !sendCheckpoint(subscriber, log)) sink.write(HEARTBEAT);
}

function feedUnavailableRejection(cause?: unknown): Rejection {
  return rejection('STORE_UNAVAILABLE', 'The event feed is not available; try again.', {
    retryAfterSeconds: 2,
    cause,
  });
}

function unknownPositionRejection(): Rejection {
  return rejection(
    'VALIDATION_FAILED',
    'This position is not in this log; use the id of an event of this feed, or "start".',
    { details: [{ path: ['after'], message: 'must be the id of an event of this feed, or "start"' }] },
  );
}
