/**
 * Follows the end of the log for all subscribers of a process: one server subscription, which never waits for a
 * subscriber, and the newest events in memory, which each subscriber reads at its own pace.
 */
import { type Position, type RecordedEvent, START } from '../../ports/event-store.ts';
import { pauseFor } from '../../runtime/pause-for.ts';
import { type Connection, codeOf } from './connection.ts';
import {
  eventOf,
  idOf,
  positionOf,
  revisionNumber,
  type StoredRecord,
  streamOf,
  subscriptionRequest,
} from './messages.ts';
import { firstRecord, idAt, idAtRevision, PositionUnknown, startAfter, take } from './reading.ts';

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
  readonly report: (message: string, details: object) => void;
}

/** Kept until either limit is reached. Subscribers that fall behind further read from the server again. */
const MOST_EVENTS = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Code of gRPC. */
const ABORTED = 10;

export const FOLLOW_PAUSES = [20, 100, 250, 500, 1_000];

/** A subscription that has lasted this long, or brought an event, begins with short pauses again. Milliseconds. */
const STEADY_AFTER = 5_000;

/** What this process knows comes from another log. */
const REPLACED = 'the event log was replaced: restart this process';

export function followRecentEvents({ connection, prefix, head, report }: RecentEventsOptions): RecentEvents {
  const events: RecentEvent[] = [];
  const sizes: number[] = [];
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  const { signal } = ending;
  let bytes = 0;
  let floor: Position | undefined;
  let position: Position | undefined;
  let following: Promise<void> | undefined;
  let failures = 0;
  let trouble: string | undefined;
  /** The event at `position`, if it was found; its stream too, if it was followed. */
  let last: { readonly id: string; readonly stream?: string; readonly revision?: number } | undefined;
  let isReplaced = false;
  /** The position at which the server last dropped the subscription for being slow. */
  let droppedAt: Position | undefined;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function keep(record: StoredRecord, stream: string): void {
    const size = record.getData_asU8().length + record.getCustomMetadata_asU8().length;
    position = positionOf(record);
    events.push(recentEvent(record, prefix, { position, stream }));
    sizes.push(size);
    bytes += size;
    last = { id: idOf(record), stream, revision: revisionNumber(record.getStreamRevision()) };
    while (events.length > MOST_EVENTS || (bytes > MOST_BYTES && events.length > 1)) {
      floor = events.shift()?.position ?? floor;
      bytes -= sizes.shift() ?? 0;
    }
  }

  async function connect(): Promise<void> {
    if (position === undefined) {
      const found = await head(signal);
      if (signal.aborted) return;
      const id = found === START ? undefined : await idAt(connection, found, signal);
      if (signal.aborted) return;
      last = id === undefined ? undefined : { id };
      floor = found;
      position = found;
      wakeAll();
    }
    const start = await placeInSameLog(position);
    const begun = performance.now();
    for await (const message of take(connection, subscriptionRequest(start, [prefix]), { signal })) {
      if (trouble !== undefined) report('event log subscription restored', {});
      trouble = undefined;
      if (performance.now() - begun >= STEADY_AFTER) failures = 0;
      const record = message.getEvent()?.getEvent();
      const stream = record && streamOf(record, prefix);
      if (record === undefined || stream === undefined || positionOf(record) <= (position ?? START)) continue;
      keep(record, stream);
      failures = 0;
      wakeAll();
    }
    if (!signal.aborted) throw new Error('the event store ended the subscription');
  }

  /**
   * The server may have restored an older copy of the log, which may have grown since: new events before our cursor
   * would be skipped silently.
   */
  async function placeInSameLog(place: Position): Promise<Position> {
    const start = await startAfter(connection, place, signal).catch(async (error: unknown) => {
      // Only an event that is another one shows that the log is another one; `unknown` may pass.
      if (error instanceof PositionUnknown) requireSame(await idOfLast());
      throw error;
    });
    const found = await idAt(connection, place, signal);
    requireSame(found ?? (await idOfLast()));
    // A log that ends earlier lacks what was followed: what it records next would lie before the place, and be missed.
    if (found === undefined && place > ((await firstRecord(connection, 'end', 'backwards', signal)) ?? START))
      throw new Error(`the event log ends before ${place}, which was followed before`);
    return start;
  }

  async function idOfLast(): Promise<string | undefined> {
    const { stream, revision } = last ?? {};
    if (stream === undefined || revision === undefined) return undefined;
    return idAtRevision(connection, prefix + stream, revision, signal);
  }

  /** A scavenged event does not mean a different log. */
  function requireSame(found: string | undefined): void {
    if (found !== undefined && last !== undefined && found !== last.id) throw replaced();
  }

  function replaced(): Error {
    if (!isReplaced) report('event log replaced, restart this process', {});
    isReplaced = true;
    return new Error(REPLACED);
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
        if (trouble === undefined) report('event log subscription lost', { error: messageOf(error) });
        trouble = messageOf(error);
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
    get trouble() {
      return isReplaced ? REPLACED : trouble;
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
