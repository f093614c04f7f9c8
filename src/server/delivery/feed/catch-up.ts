/** Sends a subscriber what it has missed, at its own pace, until it is live. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventUndecodable } from '../../../kernel/runtime/event-codec.ts';
import type { EventReader } from '../../../kernel/runtime/event-reader.ts';
import type { FeedSubscribers } from './feed-subscribers.ts';
import type { LiveLog } from './live-log.ts';
import type { Subscriber } from './subscriber.ts';

/** Milliseconds between two looks at an event that cannot be decoded. */
const BLOCKED_PAUSE = 5_000;

export interface CatchUpParts {
  readonly log: LiveLog;
  readonly subscribers: Pick<FeedSubscribers, 'has' | 'goLive'>;
  readonly reader: Pick<EventReader, 'pause'>;
  readonly signal: AbortSignal;
}

/** Resolves when it is live, or has left. */
export async function catchUp(subscriber: Subscriber, parts: CatchUpParts): Promise<void> {
  const { log, subscribers, reader, signal } = parts;
  while (subscribers.has(subscriber)) {
    if (subscriber.position < log.recent.floor) {
      try {
        await sendBacklog(subscriber, log, () => subscribers.has(subscriber));
      } catch (error) {
        if (!(error instanceof EventUndecodable)) throw error;
        await reader.pause(BLOCKED_PAUSE, signal);
      }
    } else if (subscriber.sendStretch(log.recent.after(subscriber.position), log.hidden)) {
      // No batch can arrive before it is live, so nothing is skipped or sent twice here.
      subscribers.goLive(subscriber, log);
      return;
    }
    await subscriber.sink.drained();
    // Lets others run, however long the backlog is.
    await nextTurn();
  }
}

async function sendBacklog(
  subscriber: Subscriber,
  { readBacklog, hidden }: LiveLog,
  isHere: () => boolean,
): Promise<void> {
  const { frames, position } = await readBacklog(subscriber.position, { source: subscriber.source, isHere });
  let rest = frames;
  while (!subscriber.sendStretch(rest, hidden)) {
    await subscriber.sink.drained();
    rest = rest.filter((frame) => frame.position > subscriber.position);
  }
  subscriber.moveTo(position);
}
