/** Knows who subscribes, and sends each batch to those that are live: its bytes are made once for each selection. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import { checkpointBytes, type Frame } from './frames.ts';
import type { LiveLog } from './live-log.ts';
import type { Checkpoint, Subscriber } from './subscriber.ts';

export interface FeedSubscribers {
  readonly size: number;
  has(subscriber: Subscriber): boolean;
  /** Until its connection ends. */
  add(subscriber: Subscriber): void;
  /** It has caught up with the log, and gets each batch as it arrives. */
  goLive(subscriber: Subscriber, log: LiveLog): void;
  /** Disconnects live subscribers that have not taken what they were sent before. */
  send(frames: readonly Frame[], log: LiveLog): void;
  heartbeat(log: LiveLog): void;
  endAll(): void;
}

/** `bufferBytes`: how much may be buffered for a live subscriber. */
export function createFeedSubscribers(bufferBytes: number): FeedSubscribers {
  const all = new Set<Subscriber>();
  /** Live subscribers, by selection. */
  const live = new Map<string, Set<Subscriber>>();
  const checkpointAt = latestCheckpoint();

  function leave(subscriber: Subscriber): void {
    all.delete(subscriber);
    const { key } = subscriber.selection;
    const members = live.get(key);
    members?.delete(subscriber);
    if (members?.size === 0) live.delete(key);
  }

  return {
    get size() {
      return all.size;
    },
    has: (subscriber) => all.has(subscriber),

    add(subscriber) {
      all.add(subscriber);
      subscriber.sink.onEnd(() => leave(subscriber));
    },

    goLive(subscriber, log) {
      subscriber.moveTo(log.recent.head);
      subscriber.sendCheckpoint(checkpointAt(subscriber.position, log));
      // What was sent may have ended it.
      if (!all.has(subscriber)) return;
      const { key } = subscriber.selection;
      live.set(key, (live.get(key) ?? new Set()).add(subscriber));
    },

    send(frames, { hidden }) {
      for (const members of live.values()) {
        const [any] = members;
        const wanted = frames.filter((frame) => any?.selection.wants(frame, hidden));
        if (wanted.length === 0) continue;
        const bytes = Buffer.concat(wanted.map((frame) => frame.bytes()));
        for (const subscriber of [...members]) {
          if (subscriber.sink.waiting > bufferBytes) subscriber.sink.cut();
          else subscriber.send(wanted, bytes);
        }
      }
    },

    heartbeat(log) {
      for (const subscriber of [...all]) {
        if (live.get(subscriber.selection.key)?.has(subscriber)) subscriber.moveTo(log.recent.head);
        subscriber.heartbeat(checkpointAt(subscriber.position, log));
      }
    },

    endAll() {
      for (const { sink } of [...all]) sink.end();
    },
  };
}

/** Most subscribers are at the same position. */
function latestCheckpoint(): (position: Position, log: LiveLog) => Checkpoint {
  let latest: Checkpoint | undefined;
  return (position, log) => {
    if (latest?.position !== position) latest = { position, bytes: checkpointBytes(position, log) };
    return latest;
  };
}
