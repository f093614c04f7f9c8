/** Opens the log when somebody first subscribes, and knows whether the feed works. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import { START } from '../../../kernel/ports/event-store.ts';
import type { Logger } from '../../../kernel/ports/logger.ts';
import { detailsOf, type UndecodableEvent } from '../../../kernel/runtime/event-codec.ts';
import { messageOf } from '../../../kernel/runtime/message-of.ts';
import { feedUnavailable } from './feed-start.ts';
import { type LiveLog, type LiveLogOptions, openLiveLog } from './live-log.ts';

/** `idle` until the first subscription; `blocked` while it waits at an event that cannot be decoded. */
type FeedState = 'idle' | 'running' | 'blocked' | 'failed' | 'closed';

export interface FeedLogStatus {
  readonly state: FeedState;
  readonly blockedBy: UndecodableEvent | undefined;
  /** Everything up to here has been sent to live subscribers. */
  readonly position: Position;
}

export interface FeedLog {
  /** Opens it unless it is open. Rejects with `STORE_UNAVAILABLE` once it has failed, and while it cannot be opened. */
  opened(): Promise<LiveLog>;
  /** Undefined before it was opened. */
  latest(): LiveLog | undefined;
  status(): FeedLogStatus;
  /** Nothing is opened from now on. */
  close(): void;
  /** Resolves when nothing is read any more. */
  ended(): Promise<void>;
}

interface FeedLogOptions extends Omit<LiveLogOptions, 'failed' | 'blocked'> {
  /** Nothing arrives any more. */
  readonly ended: () => void;
  readonly logger: Logger;
}

export function createFeedLog(options: FeedLogOptions): FeedLog {
  const { logger } = options;
  let opening: Promise<LiveLog> | undefined;
  let liveLog: LiveLog | undefined;
  let state: Exclude<FeedState, 'blocked'> = 'idle';
  let blockedBy: UndecodableEvent | undefined;

  async function open(): Promise<LiveLog> {
    const opened = await openLiveLog({
      ...options,
      arrived(frames, log) {
        if (blockedBy !== undefined && log.recent.head >= blockedBy.position) blockedBy = undefined;
        options.arrived(frames, log);
      },
      failed: (error, final) => logger.warn({ error: messageOf(error), final }, 'event feed failed'),
      blocked({ event }) {
        blockedBy = event;
        logger.warn(detailsOf(event), 'event feed waits at an event that cannot be decoded');
      },
    });
    if (opened === undefined) throw feedUnavailable();
    liveLog = opened;
    state = 'running';
    void opened.ended.then(() => {
      if (state === 'running') state = 'failed';
      options.ended();
    });
    return opened;
  }

  return {
    async opened() {
      if (state === 'failed' || state === 'closed') throw feedUnavailable();
      opening ??= open();
      try {
        return await opening;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    latest: () => liveLog,
    status: () => ({
      state: state === 'running' && blockedBy !== undefined ? 'blocked' : state,
      blockedBy,
      position: liveLog?.recent.head ?? START,
    }),
    close() {
      state = 'closed';
    },
    async ended() {
      await opening?.catch(() => undefined);
      await liveLog?.ended;
    },
  };
}
