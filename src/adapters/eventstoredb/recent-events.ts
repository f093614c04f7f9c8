/**
 * Follows the end of the log for all subscribers of a process: one server subscription, which never waits for a
 * subscriber, and the newest events in memory, which each subscriber reads at its own pace.
 */
import { type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { pauseFor } from '../../kernel/runtime/pause-for.ts';
import type { Connection } from './connection.ts';
import { createFollowPace } from './follow-pace.ts';
import { createKeptEvents } from './kept-events.ts';
import {
  eventOf,
  idOf,
  positionOf,
  revisionNumber,
  type StoredRecord,
  streamOf,
  subscriptionRequest,
} from './messages.ts';
import { idAt, take } from './reading.ts';
import { createSameLog, REPLACED } from './same-log.ts';

/** An event of this log whose text is parsed only for a subscriber that asked for its category. */
export interface RecentEvent {
  readonly position: Position;
  readonly stream: string;
  event(): RecordedEvent;
}

export interface RecentEvents {
  /** All events after `floor` up to `position` are kept. Both are undefined until the cursor is known. */
  readonly floor: Position | undefined;
  readonly position: Position | undefined;
  /** Why the log cannot be followed; undefined while it is. */
  readonly trouble: string | undefined;
  readonly ended: boolean;
  /** The server has another log than before, or an older copy of it. */
  readonly isReplaced: boolean;
  /** Called on every change. */
  readonly waiting: Set<() => void>;
  /** Events after a position, which must not be before `floor`; at most `count`. */
  after(position: Position, count: number): readonly RecentEvent[];
  /** Starts following. */
  begin(): void;
  end(): Promise<void>;
}

export interface RecentEventsOptions {
  readonly connection: Connection;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  readonly head: (signal: AbortSignal) => Promise<Position>;
  readonly logger: Logger;
}

/** Kept until either limit is reached. Subscribers that fall behind further read from the server again. */
const MOST = { events: 2_000, bytes: 16 * 1024 * 1024 };

export function followRecentEvents({ connection, prefix, head, logger }: RecentEventsOptions): RecentEvents {
  const kept = createKeptEvents<RecentEvent>(MOST);
  const sameLog = createSameLog({ connection, prefix, logger });
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  const { signal } = ending;
  const pace = createFollowPace(logger);
  let following: Promise<void> | undefined;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  async function startAtEnd(): Promise<void> {
    const found = await head(signal);
    if (signal.aborted) return;
    const id = found === START ? undefined : await idAt(connection, found, signal);
    if (signal.aborted) return;
    sameLog.follow(id === undefined ? undefined : { id });
    kept.startAt(found);
    wakeAll();
  }

  function keep(record: StoredRecord, stream: string): void {
    const event = recentEvent(record, prefix, { position: positionOf(record), stream });
    kept.add(event, record.getData_asU8().length + record.getCustomMetadata_asU8().length);
    sameLog.follow({ id: idOf(record), stream, revision: revisionNumber(record.getStreamRevision()) });
  }

  async function connect(): Promise<void> {
    if (kept.position === undefined) await startAtEnd();
    if (kept.position === undefined) return;
    const start = await sameLog.startAfter(kept.position, signal);
    pace.connected();
    for await (const message of take(connection, subscriptionRequest(start, [prefix]), { signal })) {
      pace.answered();
      const record = message.getEvent()?.getEvent();
      const stream = record && streamOf(record, prefix);
      if (record === undefined || stream === undefined) continue;
      if (positionOf(record) <= (kept.position ?? START)) continue;
      keep(record, stream);
      pace.broughtEvent();
      wakeAll();
    }
    if (!signal.aborted) throw new Error('the event store ended the subscription');
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connect();
      } catch (error) {
        const pause = pace.failed(error, kept.position);
        if (pause > 0) await pauseFor(pause, signal);
      }
    }
  }

  return {
    get floor() {
      return kept.floor;
    },
    get position() {
      return kept.position;
    },
    get trouble() {
      return sameLog.isReplaced ? REPLACED : pace.trouble;
    },
    get ended() {
      return signal.aborted;
    },
    get isReplaced() {
      return sameLog.isReplaced;
    },
    waiting,
    after: kept.after,
    begin() {
      following ??= follow();
    },
    async end() {
      ending.abort();
      wakeAll();
      await following;
    },
  };
}

function recentEvent(
  record: StoredRecord,
  prefix: string,
  place: Pick<RecentEvent, 'position' | 'stream'>,
): RecentEvent {
  let parsed: RecordedEvent | undefined;
  return {
    ...place,
    event() {
      parsed ??= eventOf(record, prefix);
      if (parsed === undefined) throw new Error('only events of this log are kept');
      return parsed;
    },
  };
}
