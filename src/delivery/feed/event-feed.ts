/**
 * Delivers events to subscribers: each catches up from the log at its own pace, then becomes live.
 *
 * Nothing is lost or sent twice at the change: a subscriber gets the rest from memory and becomes live in one synchronous
 * step, in which no batch can arrive.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { type Position, START } from '../../ports/event-store.ts';
import { CollectionNotLive } from '../../ports/read-model.ts';
import { detailsOf, EventUndecodable, type UndecodableEvent } from '../../runtime/event-codec.ts';
import { messageOf } from '../../runtime/message-of.ts';
import { Rejection } from '../../runtime/rejection.ts';
import type { StreamSink } from '../../runtime/stream-answer.ts';
import { rejection } from '../../streams/rejections.ts';
import { checkpointBytes, type Frame } from './frames.ts';
import { type LiveLog, type LiveLogOptions, openLiveLog } from './live-log.ts';
import { positionIn } from './marked-position.ts';
import type { Selection } from './selection.ts';
import { retryBytes } from './server-sent-events.ts';
import { type Checkpoint, createSubscriber, type Subscriber } from './subscriber.ts';

export interface EventFeedOptions
  extends Pick<LiveLogOptions, 'store' | 'readModel' | 'reader' | 'categoryOfType'> {
  /** Milliseconds between two heartbeats to every subscriber. */
  readonly heartbeat: number;
  /** Bytes that may be buffered for a live subscriber; beyond that it is disconnected, and resumes where it stopped. */
  readonly bufferBytes: number;
  readonly report: (message: string, details: object) => void;
  /** Frames kept in memory for subscribers that come back; 1,000 by default. */
  readonly recent?: number;
  /** How long a new subscriber waits for the store. Milliseconds; 5,000 by default. */
  readonly patience?: number;
}

export interface FeedStart {
  /** Exclusive. */
  readonly position: Position;
  /** The id with which the subscriber would come back if it lost the connection at once. */
  readonly lastSent: Position;
}

export interface EventFeedStatus {
  /** `idle` until the first subscription; `blocked` while it waits at an event that cannot be decoded. */
  readonly state: 'idle' | 'running' | 'blocked' | 'failed' | 'closed';
  readonly blockedBy: UndecodableEvent | undefined;
  /** Everything up to here has been sent to live subscribers. */
  readonly position: Position;
  readonly subscribers: number;
}

export interface EventFeed {
  /**
   * Where a subscription begins: after `id`, the last id that the subscriber received; from the beginning
   * (`FROM_START`); or with the next event (undefined). Rejects with `VALIDATION_FAILED` for an id from another log,
   * with `STORE_UNAVAILABLE` or `CollectionNotLive` while the feed cannot work.
   */
  startAt(id: string | undefined): Promise<FeedStart>;
  subscribe(sink: StreamSink, selection: Selection, start: FeedStart): void;
  status(): EventFeedStatus;
  /** Ends every subscription and accepts no more. */
  close(): Promise<void>;
}

/** Not a position of any log. */
const FROM_START = 'start';

const POSITION = /^[\w.:-]{1,64}$/;
const RECENT_FRAMES = 1_000;
const PATIENCE = 5_000;
/** Milliseconds between two looks at an event that cannot be decoded. */
const BLOCKED_PAUSE = 5_000;
/** Milliseconds. Random, so that subscribers that were disconnected together do not all come back at once. */
const RETRY = { shortest: 1_000, longest: 5_000 };

/** Follows the log once somebody has subscribed. */
export function createEventFeed(options: EventFeedOptions): EventFeed {
  const { store, report } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const subscribers = new Set<Subscriber>();
  /** Live subscribers, by selection. */
  const live = new Map<string, Set<Subscriber>>();
  const catchingUp = new Set<Promise<void>>();
  let opening: Promise<LiveLog> | undefined;
  let liveLog: LiveLog | undefined;
  let state: EventFeedStatus['state'] = 'idle';
  let checkpoint: Checkpoint | undefined;
  let blockedBy: UndecodableEvent | undefined;

  const heartbeats = setInterval(heartbeat, options.heartbeat);
  heartbeats.unref();

  async function openLog(): Promise<LiveLog> {
    const opened = await openLiveLog({
      ...options,
      recent: options.recent ?? RECENT_FRAMES,
      signal,
      arrived: sendLive,
      failed: (error, final) => report('event feed failed', { error: messageOf(error), final }),
      blocked({ event }) {
        blockedBy = event;
        report('event feed waits at an event that cannot be decoded', detailsOf(event));
      },
    });
    if (opened === undefined) throw unavailable();
    liveLog = opened;
    state = 'running';
    opened.ended.then(() => {
      if (state === 'running') state = 'failed';
      endAll();
    });
    return opened;
  }

  async function openedLog(): Promise<LiveLog> {
    if (state === 'failed' || state === 'closed') throw unavailable();
    opening ??= openLog();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  function sendLive(frames: readonly Frame[], { hidden, recent }: LiveLog): void {
    if (blockedBy !== undefined && recent.head >= blockedBy.position) blockedBy = undefined;
    for (const members of live.values()) {
      const [any] = members;
      const wanted = frames.filter((frame) => any?.selection.wants(frame, hidden));
      if (wanted.length === 0) continue;
      const bytes = Buffer.concat(wanted.map((frame) => frame.bytes()));
      for (const subscriber of [...members]) {
        if (subscriber.sink.waiting > options.bufferBytes) subscriber.sink.cut();
        else subscriber.send(wanted, bytes);
      }
    }
  }

  function heartbeat(): void {
    if (liveLog === undefined) return;
    for (const subscriber of [...subscribers]) {
      if (isLive(subscriber)) subscriber.moveTo(liveLog.recent.head);
      subscriber.heartbeat(checkpointAt(subscriber.position, liveLog));
    }
  }

  /** Most subscribers are at the same position. */
  function checkpointAt(position: Position, liveLog: LiveLog): Checkpoint {
    if (checkpoint?.position !== position) {
      checkpoint = { position, bytes: checkpointBytes(position, liveLog) };
    }
    return checkpoint;
  }

  function isLive(subscriber: Subscriber): boolean {
    return live.get(subscriber.selection.key)?.has(subscriber) ?? false;
  }

  function join(subscriber: Subscriber): void {
    const { key } = subscriber.selection;
    live.set(key, (live.get(key) ?? new Set()).add(subscriber));
  }

  function leave(subscriber: Subscriber): void {
    subscribers.delete(subscriber);
    const { key } = subscriber.selection;
    const members = live.get(key);
    members?.delete(subscriber);
    if (members?.size === 0) live.delete(key);
  }

  async function catchUp(subscriber: Subscriber, opened: LiveLog): Promise<void> {
    const { recent } = opened;
    while (subscribers.has(subscriber)) {
      if (subscriber.position < recent.floor) {
        await sendBacklog(subscriber, opened).catch(waitWhileBlocked);
      } else if (subscriber.sendStretch(recent.after(subscriber.position), opened.hidden)) {
        // No batch can arrive before the return, so nothing is skipped or sent twice here.
        subscriber.moveTo(recent.head);
        subscriber.sendCheckpoint(checkpointAt(subscriber.position, opened));
        if (subscribers.has(subscriber)) join(subscriber);
        return;
      }
      await subscriber.sink.drained();
      // Lets others run, however long the backlog is.
      await nextTurn();
    }
  }

  async function waitWhileBlocked(error: unknown): Promise<void> {
    if (!(error instanceof EventUndecodable)) throw error;
    await options.reader.pause(BLOCKED_PAUSE, signal);
  }

  async function sendBacklog(subscriber: Subscriber, { readBacklog, hidden }: LiveLog): Promise<void> {
    const { frames, position } = await readBacklog(subscriber.position);
    let rest = frames;
    while (!subscriber.sendStretch(rest, hidden)) {
      await subscriber.sink.drained();
      rest = rest.filter((frame) => frame.position > subscriber.position);
    }
    subscriber.moveTo(position);
  }

  /** Throws `VALIDATION_FAILED` for a position that is not in this log. */
  async function requirePosition(position: Position, ended: AbortSignal): Promise<void> {
    if (!POSITION.test(position) || position > (await store.head())) throw unknownPosition();
    try {
      for await (const _message of store.subscribe({ after: position, signal: ended })) return;
    } catch (error) {
      if (error instanceof TypeError) throw unknownPosition();
      throw error;
    }
  }

  async function startOf(id: string | undefined, ended: AbortSignal): Promise<FeedStart> {
    const { mark } = await openedLog();
    if (id === undefined) return { position: await store.head(), lastSent: START };
    if (id === FROM_START) return { position: START, lastSent: START };
    const position = positionIn(id, mark);
    if (position === undefined) throw unknownPosition();
    await requirePosition(position, ended);
    return { position, lastSent: position };
  }

  function endAll(): void {
    for (const { sink } of [...subscribers]) sink.end();
  }

  return {
    async startAt(id) {
      // The feed asks a store that does not answer again and again; a caller must not wait that long.
      const asking = new AbortController();
      try {
        return await pTimeout(startOf(id, asking.signal), {
          milliseconds: options.patience ?? PATIENCE,
          fallback: () => {
            throw unavailable();
          },
        });
      } catch (error) {
        if (error instanceof Rejection || error instanceof CollectionNotLive) throw error;
        throw unavailable(error);
      } finally {
        asking.abort();
      }
    },

    subscribe(sink, selection, start) {
      if (liveLog === undefined || state !== 'running') {
        sink.end();
        return;
      }
      const subscriber = createSubscriber(sink, selection, start);
      subscribers.add(subscriber);
      sink.onEnd(() => leave(subscriber));
      const { shortest, longest } = RETRY;
      sink.write(retryBytes(Math.round(shortest + Math.random() * (longest - shortest))));
      const work = catchUp(subscriber, liveLog).catch((error: unknown) => {
        report('subscriber failed to catch up', { error: messageOf(error) });
        sink.cut();
      });
      catchingUp.add(work);
      work.then(() => catchingUp.delete(work));
    },

    status: () => ({
      state: state === 'running' && blockedBy !== undefined ? 'blocked' : state,
      blockedBy,
      position: liveLog?.recent.head ?? START,
      subscribers: subscribers.size,
    }),

    async close() {
      state = 'closed';
      clearInterval(heartbeats);
      endAll();
      closing.abort();
      await opening?.catch(() => undefined);
      await liveLog?.ended;
      await Promise.all(catchingUp);
    },
  };
}

function unavailable(cause?: unknown): Rejection {
  return rejection('STORE_UNAVAILABLE', 'The event feed is not available; try again.', {
    retryAfterSeconds: 2,
    cause,
  });
}

function unknownPosition(): Rejection {
  return rejection(
    'VALIDATION_FAILED',
    'This position is not in this log. Ids from another log are refused; use the id of an event of this feed, or "start".',
    { details: [{ path: ['after'], message: 'must be the id of an event of this feed, or "start"' }] },
  );
}
