/**
 * Tells subscribers what happens: each catches up from the log at its own pace, then joins those who are told live.
 *
 * Nothing is lost or told twice between the two: a subscriber is given what is left in memory and becomes one of those
 * who get the next batch in one step, in which no batch can arrive.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { type Position, START } from '../../ports/event-store.ts';
import { CollectionNotLive } from '../../ports/read-model.ts';
import { Rejection } from '../../runtime/rejection.ts';
import type { StreamSink } from '../../runtime/stream-answer.ts';
import { rejection } from '../../streams/rejections.ts';
import { checkpointBytes, type Frame } from './frames.ts';
import { type LiveLog, type LiveLogOptions, openLiveLog } from './live-log.ts';
import type { Selection } from './selection.ts';
import { retryBytes } from './server-sent-events.ts';
import { type Checkpoint, createSubscriber, type Subscriber } from './subscriber.ts';

export interface EventFeedOptions
  extends Pick<LiveLogOptions, 'store' | 'readModel' | 'codec' | 'categoryOfType'> {
  /** Milliseconds between two signs of life to every subscriber. */
  readonly heartbeat: number;
  /** Bytes that may wait for a live subscriber; beyond, it is cut off, to come back and catch up. */
  readonly bufferBytes: number;
  readonly report: (message: string, details: object) => void;
  /** Frames kept in memory for those who come back; 1,000 unless given. */
  readonly recent?: number;
  /** Milliseconds that whoever begins to subscribe waits for the store; 5,000 unless given. */
  readonly patience?: number;
}

/** Exclusive; and what the subscriber would come back with if the connection were lost at once. */
export interface FeedStart {
  readonly position: Position;
  readonly told: Position;
}

export interface EventFeedStatus {
  /** `idle` until somebody subscribes. */
  readonly state: 'idle' | 'running' | 'failed' | 'closed';
  /** Everything up to here has been told live. */
  readonly position: Position;
  readonly subscribers: number;
}

export interface EventFeed {
  /**
   * Where a subscription begins: after `id`, the last one that the subscriber was given; from the beginning
   * (`FROM_START`); or with what comes next (undefined). Rejects with `VALIDATION_FAILED` for an id that is none of
   * this log, with `STORE_UNAVAILABLE` or `CollectionNotLive` while the feed cannot work.
   */
  startAt(id: string | undefined): Promise<FeedStart>;
  subscribe(sink: StreamSink, selection: Selection, start: FeedStart): void;
  status(): EventFeedStatus;
  /** Ends every subscription, and takes no more. */
  close(): Promise<void>;
}

/** No position of a log is a word. */
export const FROM_START = 'start';

const POSITION = /^[\w.:-]{1,64}$/;
const RECENT_FRAMES = 1_000;
const PATIENCE = 5_000;
/** Milliseconds. Spread, so that those who lost the connection together do not come back together. */
const RETRY = { shortest: 1_000, longest: 5_000 };

/** Follows the log from the first subscription on. */
export function createEventFeed(options: EventFeedOptions): EventFeed {
  const { store, report } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const subscribers = new Set<Subscriber>();
  /** Those who are told live, by what they want. */
  const live = new Map<string, Set<Subscriber>>();
  const catchingUp = new Set<Promise<void>>();
  let opening: Promise<LiveLog> | undefined;
  let liveLog: LiveLog | undefined;
  let state: EventFeedStatus['state'] = 'idle';
  let checkpoint: Checkpoint | undefined;

  const beating = setInterval(beat, options.heartbeat);
  beating.unref();

  async function openLog(): Promise<LiveLog> {
    const opened = await openLiveLog({
      ...options,
      recent: options.recent ?? RECENT_FRAMES,
      signal,
      arrived: tellLive,
      failed: (error, final) => report('the event feed failed', { error: messageOf(error), final }),
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

  async function logForUse(): Promise<LiveLog> {
    if (state === 'failed' || state === 'closed') throw unavailable();
    opening ??= openLog();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  function tellLive(frames: readonly Frame[], { hidden }: LiveLog): void {
    for (const members of live.values()) {
      const [any] = members;
      const wanted = frames.filter((frame) => any?.selection.wants(frame, hidden));
      if (wanted.length === 0) continue;
      const bytes = Buffer.concat(wanted.map((frame) => frame.bytes()));
      for (const subscriber of [...members]) {
        if (subscriber.sink.waiting > options.bufferBytes) subscriber.sink.cut();
        else subscriber.tell(wanted, bytes);
      }
    }
  }

  function beat(): void {
    if (liveLog === undefined) return;
    for (const subscriber of [...subscribers]) {
      if (isLive(subscriber)) subscriber.moveTo(liveLog.recent.head);
      subscriber.beat(checkpointAt(subscriber.position, liveLog));
    }
  }

  /** Most subscribers are at the same place. */
  function checkpointAt(position: Position, { source }: LiveLog): Checkpoint {
    if (checkpoint?.position !== position) {
      checkpoint = { position, bytes: checkpointBytes(position, source) };
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
        await readOn(subscriber, opened);
      } else if (subscriber.readStretch(recent.after(subscriber.position), opened.hidden)) {
        // Up to the return no batch can arrive, so this is the exact place between what was told and what will be.
        subscriber.moveTo(recent.head);
        subscriber.note(checkpointAt(subscriber.position, opened));
        if (subscribers.has(subscriber)) join(subscriber);
        return;
      }
      await subscriber.sink.drained();
      // Others have their turn, however much there is to catch up.
      await nextTurn();
    }
  }

  async function readOn(subscriber: Subscriber, { lookAfter, hidden }: LiveLog): Promise<void> {
    const { frames, position } = await lookAfter(subscriber.position);
    let rest = frames;
    while (!subscriber.readStretch(rest, hidden)) {
      await subscriber.sink.drained();
      rest = rest.filter((frame) => frame.position > subscriber.position);
    }
    subscriber.moveTo(position);
  }

  /** Throws `VALIDATION_FAILED` unless the position is one of this log. */
  async function requirePosition(position: Position, ended: AbortSignal): Promise<void> {
    if (!POSITION.test(position) || position > (await store.head())) throw noPosition();
    try {
      for await (const _message of store.subscribe({ after: position, signal: ended })) return;
    } catch (error) {
      if (error instanceof TypeError) throw noPosition();
      throw error;
    }
  }

  async function placeOf(id: string | undefined, ended: AbortSignal): Promise<FeedStart> {
    await logForUse();
    if (id === undefined) return { position: await store.head(), told: START };
    if (id === FROM_START) return { position: START, told: START };
    await requirePosition(id, ended);
    return { position: id, told: id };
  }

  function endAll(): void {
    for (const { sink } of [...subscribers]) sink.end();
  }

  return {
    async startAt(id) {
      // A store that does not answer is asked again for ever, and a caller is not to wait for that.
      const asking = new AbortController();
      try {
        return await pTimeout(placeOf(id, asking.signal), {
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
        report('a subscriber could not be told what it missed', { error: messageOf(error) });
        sink.cut();
      });
      catchingUp.add(work);
      work.then(() => catchingUp.delete(work));
    },

    status: () => ({ state, position: liveLog?.recent.head ?? START, subscribers: subscribers.size }),

    async close() {
      state = 'closed';
      clearInterval(beating);
      endAll();
      closing.abort();
      await opening?.catch(() => undefined);
      await liveLog?.ended;
      await Promise.all(catchingUp);
    },
  };
}

function unavailable(cause?: unknown): Rejection {
  return rejection('STORE_UNAVAILABLE', 'Events cannot be followed at the moment; try again.', {
    retryAfterSeconds: 2,
    cause,
  });
}

function noPosition(): Rejection {
  return rejection(
    'VALIDATION_FAILED',
    'There is no such position in this log. Go on after the id of an event that it gave, or begin anew.',
    { details: [{ path: ['after'], message: 'must be the id of an event of this feed, or "start"' }] },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
