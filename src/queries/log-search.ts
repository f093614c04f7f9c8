/** Searches the log in chunks for matching events, and reports its progress. */
import { categoryOf } from '../kernel/ports/append-rules.ts';
import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';

/** Maximum number of events examined per call. */
export const MAX_SCANNED = 5_000;
/** Events per read; small, because events can be large and reading must not block other work. */
const CHUNK = 500;

export type Order = 'newest' | 'oldest';

/** Conditions on an event; times are ISO 8601 with milliseconds, both inclusive. */
export interface LogFilter {
  readonly category?: string | undefined;
  readonly type?: string | undefined;
  /** Types, separated by commas. */
  readonly hide?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Chunk of events in the order of the search. */
export interface Piece {
  readonly events: readonly RecordedEvent[];
  /** Cursor to continue the search after this piece. */
  readonly cursor: string;
  readonly isEnd: boolean;
}

export interface Found {
  readonly events: readonly RecordedEvent[];
  /** Null at the end of the search. */
  readonly next: string | null;
  readonly scanned: number;
  /** Last event that was examined. */
  readonly last: RecordedEvent | undefined;
}

/** Reads the whole log. The first chunk rejects with a TypeError if `after` is not a position of the log. */
export async function* chunksOfLog(
  store: Pick<EventStore, 'readWindow'>,
  order: Order,
  after: Position | undefined,
): AsyncGenerator<Piece, void> {
  const direction = order === 'newest' ? 'backwards' : 'forwards';
  for (let from = after; ; ) {
    const { events, reached, isEnd } = await store.readWindow({ direction, from, limit: CHUNK });
    yield { events, cursor: reached, isEnd };
    from = reached;
  }
}

/** `after`: exclusive revision. */
export async function* chunksOfStream(
  store: Pick<EventStore, 'read' | 'readBackwards'>,
  stream: string,
  order: Order,
  after: number | undefined,
): AsyncGenerator<Piece, void> {
  let events: RecordedEvent[] = [];
  const from = after === undefined ? 0 : after + 1;
  for await (const event of order === 'newest'
    ? store.readBackwards(stream, after)
    : store.read(stream, from)) {
    events.push(event);
    if (events.length < CHUNK) continue;
    yield { events, cursor: String(event.revision), isEnd: false };
    events = [];
  }
  yield { events, cursor: '', isEnd: true };
}

/** `cursorOf`: returns the cursor to continue a search after an event. */
export async function searchLog(
  pieces: AsyncIterable<Piece>,
  filter: LogFilter,
  {
    order,
    limit,
    cursorOf,
  }: {
    readonly order: Order;
    readonly limit: number;
    readonly cursorOf: (event: RecordedEvent) => string;
  },
): Promise<Found> {
  const found: RecordedEvent[] = [];
  let scanned = 0;
  let last: RecordedEvent | undefined;
  let time: string | undefined;
  let rest = MAX_SCANNED / CHUNK;
  for await (const { events, cursor, isEnd } of pieces) {
    for (const event of events) {
      scanned += 1;
      last = event;
      // An event without a readable time gets the time of the previous event, so that the search includes it.
      time = timeOf(event) ?? time;
      if (!matches(event, time, filter)) continue;
      found.push(event);
      if (found.length === limit) {
        const isLast = isEnd && event === events.at(-1);
        return { events: found, next: isLast ? null : cursorOf(event), scanned, last };
      }
    }
    rest -= 1;
    const isOver = isEnd || isBeyond(events, filter, order);
    if (isOver || rest === 0) return { events: found, next: isOver ? null : cursor, scanned, last };
  }
  return { events: found, next: null, scanned, last };
}

/** Undefined for events of other programs without a time. */
export function timeOf({ metadata: { occurredAt } }: RecordedEvent): string | undefined {
  return typeof occurredAt === 'string' ? occurredAt : undefined;
}

function matches(
  event: RecordedEvent,
  time: string | undefined,
  { category, type, hide, correlationId, since, until }: LogFilter,
): boolean {
  return (
    (category === undefined || categoryOf(event.stream) === category) &&
    (type === undefined || event.type === type) &&
    !hide?.split(',').includes(event.type) &&
    (correlationId === undefined || event.metadata.correlationId === correlationId) &&
    (time === undefined || ((since ?? time) <= time && time <= (until ?? time)))
  );
}

/**
 * True if all events of a chunk are outside the time range. One event is not enough: clocks differ, so times are only nearly
 * sorted.
 */
function isBeyond(events: readonly RecordedEvent[], { since, until }: LogFilter, order: Order): boolean {
  const times = events.flatMap((event) => timeOf(event) ?? []);
  if (times.length === 0) return false;
  return order === 'newest'
    ? since !== undefined && times.every((time) => time < since)
    : until !== undefined && times.every((time) => time > until);
}
