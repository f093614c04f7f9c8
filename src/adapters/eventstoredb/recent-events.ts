/**
 * Follows the end of the log for all subscribers of a process: one server subscription, which never waits for a
 * subscriber, and the newest events in memory, which each subscriber reads at its own pace.
 */
import { type Position, type RecordedEvent, START } from '../../ports/event-store.ts';
import { pauseFor } from '../../runtime/pause-for.ts';
import { type Connection, codeOf } from './connection.ts';
import { eventOf, subscriptionRequest } from './messages.ts';
import { idAt, startAfter, take } from './reading.ts';

export interface RecentEvents {
  /** All events after `floor` up to `position` are kept. Both are undefined until the cursor is known. */
  readonly floor: Position | undefined;
  readonly position: Position | undefined;
  /** False from a detected disconnection until it follows again. */
  readonly isWell: boolean;
  readonly ended: boolean;
  /** The server has another log than before, or an older copy of it. */
  readonly isReplaced: boolean;
  /** Called on every change. */
  readonly waiting: Set<() => void>;
  /** Events after a position, which must not be before `floor`; at most `count`. */
  after(position: Position, count: number): readonly RecordedEvent[];
  /** Starts following. */
  begin(): void;
  end(): Promise<void>;
}

export interface RecentEventsOptions {
  readonly connection: Connection;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  readonly head: (signal: AbortSignal) => Promise<Position>;
  readonly report: (message: string, details: object) => void;
}

/** Kept until either limit is reached. Subscribers that fall behind further read from the server again. */
const MOST_EVENTS = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Code of gRPC. */
const ABORTED = 10;

export const FOLLOW_PAUSES = [20, 100, 250, 500, 1_000];

export function followRecentEvents({ connection, prefix, head, report }: RecentEventsOptions): RecentEvents {
  const events: RecordedEvent[] = [];
  const sizes: number[] = [];
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  const { signal } = ending;
  let bytes = 0;
  let floor: Position | undefined;
  let position: Position | undefined;
  let following: Promise<void> | undefined;
  let failures = 0;
  /** The id of the event at `position`, if it was found. */
  let lastId: string | undefined;
  let isReplaced = false;
  /** The position at which the server last dropped the subscription for being slow. */
  let droppedAt: Position | undefined;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function keep(event: RecordedEvent, size: number): void {
    events.push(event);
    sizes.push(size);
    bytes += size;
    position = event.position;
    lastId = event.id;
    while (events.length > MOST_EVENTS || (bytes > MOST_BYTES && events.length > 1)) {
      floor = events.shift()?.position ?? floor;
      bytes -= sizes.shift() ?? 0;
    }
  }

  async function connect(): Promise<void> {
    if (position === undefined) {
      const found = await head(signal);
      if (signal.aborted) return;
      lastId = found === START ? undefined : await idAt(connection, found, signal);
      if (signal.aborted) return;
      floor = found;
      position = found;
      wakeAll();
    }
    const start = await placeInSameLog(position);
    for await (const message of take(connection, subscriptionRequest(start, [prefix]), { signal })) {
      if (failures > 0) report('event log subscription restored', {});
      failures = 0;
      const record = message.getEvent()?.getEvent();
      const event = record && eventOf(record, prefix);
      if (record === undefined || event === undefined || event.position <= (position ?? START)) continue;
      keep(event, record.getData_asU8().length + record.getCustomMetadata_asU8().length);
      wakeAll();
    }
    if (!signal.aborted) throw new Error('the event store ended the subscription');
  }

  /**
   * The server may have restored an older copy of the log, which may have grown since: new events before our cursor
   * would be skipped silently.
   */
  async function placeInSameLog(place: Position): Promise<Position> {
    const start = await startAfter(connection, place, signal).catch((error: unknown) => {
      throw error instanceof TypeError ? replaced() : error;
    });
    const found = lastId === undefined ? undefined : await idAt(connection, place, signal);
    // A scavenged event does not mean a different log.
    if (found !== undefined && found !== lastId) throw replaced();
    return start;
  }

  function replaced(): Error {
    if (!isReplaced) report('event log replaced, restart this process', {});
    isReplaced = true;
    return new Error('the event log was replaced');
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connect();
      } catch (error) {
        // The server drops subscribers that fall behind for a moment: subscribe again, and say nothing.
        if (codeOf(error) === ABORTED && position !== droppedAt) {
          droppedAt = position;
          continue;
        }
        if (failures === 0) report('event log subscription lost', { error: messageOf(error) });
        failures += 1;
        await pauseFor(FOLLOW_PAUSES[failures - 1] ?? 1_000, signal);
      }
    }
  }

  return {
    get floor() {
      return floor;
    },
    get position() {
      return position;
    },
    get isWell() {
      return failures === 0;
    },
    get ended() {
      return signal.aborted;
    },
    get isReplaced() {
      return isReplaced;
    },
    waiting,
    after(wanted, count) {
      let [low, high] = [0, events.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((events[middle]?.position ?? '') > wanted) high = middle;
        else low = middle + 1;
      }
      return events.slice(low, low + count);
    },
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
