/** Finds where a subscription begins: after the id that the subscriber received last, at the start, or with what comes next. */
import pTimeout from 'p-timeout';
import { type EventStore, type Position, START } from '../../../kernel/ports/event-store.ts';
import { CollectionNotLive } from '../../../kernel/ports/read-model.ts';
import { Rejection } from '../../../kernel/runtime/rejection.ts';
import { rejection } from '../../../streams/rejections.ts';
import type { LiveLog } from './live-log.ts';
import { positionIn } from './marked-position.ts';

export interface FeedStart {
  /** Exclusive. */
  readonly position: Position;
  /** The id with which the subscriber would come back if it lost the connection at once. */
  readonly lastSent: Position;
}

export interface FeedStartParts {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
  readonly openedLog: () => Promise<Pick<LiveLog, 'mark'>>;
  /** Milliseconds. */
  readonly patience: number;
}

/** Not a position of any log. */
const FROM_START = 'start';

const POSITION = /^[\w.:-]{1,64}$/;

/**
 * Rejects with `VALIDATION_FAILED` for an id from another log, with `STORE_UNAVAILABLE` or `CollectionNotLive` while the
 * feed cannot work.
 */
export async function findFeedStart(id: string | undefined, parts: FeedStartParts): Promise<FeedStart> {
  // The feed asks a store that does not answer again and again; a caller must not wait that long.
  const asking = new AbortController();
  try {
    return await pTimeout(startOf(id, parts, asking.signal), {
      milliseconds: parts.patience,
      fallback: () => {
        throw feedUnavailable();
      },
    });
  } catch (error) {
    if (error instanceof Rejection || error instanceof CollectionNotLive) throw error;
    throw feedUnavailable(error);
  } finally {
    asking.abort();
  }
}

async function startOf(
  id: string | undefined,
  { store, openedLog }: FeedStartParts,
  ended: AbortSignal,
): Promise<FeedStart> {
  const { mark } = await openedLog();
  if (id === undefined) return { position: await store.head(), lastSent: START };
  if (id === FROM_START) return { position: START, lastSent: START };
  const position = positionIn(id, mark);
  if (position === undefined) throw unknownPosition();
  await requirePosition(position, store, ended);
  return { position, lastSent: position };
}

/** Throws `VALIDATION_FAILED` for a position that is not in this log. */
async function requirePosition(
  position: Position,
  store: FeedStartParts['store'],
  ended: AbortSignal,
): Promise<void> {
  if (!POSITION.test(position) || position > (await store.head())) throw unknownPosition();
  try {
    for await (const _message of store.subscribe({ after: position, signal: ended })) return;
  } catch (error) {
    if (error instanceof TypeError) throw unknownPosition();
    throw error;
  }
}

export function feedUnavailable(cause?: unknown): Rejection {
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
