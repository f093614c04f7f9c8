/** Maps events to rows of the table `events`, and positions to text. */
import { type Position, type RecordedEvent, START } from '../../ports/event-store.ts';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import type { SqliteDatabase } from './database.ts';

const POSITION_DIGITS = 20;
const POSITION = /^[0-9]{20}$/;

export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, metadata';
export type EventRow = readonly [number, string, number, string, string, string, string];

/** Throws `StoreUnavailable` where the row does not hold what was written, and tells the database of it. */
export function recordedEvent(database: Pick<SqliteDatabase, 'foundDamage'>, row: EventRow): RecordedEvent {
  const [position, stream, revision, id, type, data, metadata] = row;
  try {
    return {
      id,
      type,
      data: JSON.parse(data),
      metadata: JSON.parse(metadata),
      stream,
      revision,
      position: positionText(position),
    };
  } catch (error) {
    const reason = `at position ${position} of the log, its content is not JSON`;
    database.foundDamage(reason);
    throw new StoreUnavailable(reason, { cause: error });
  }
}

/** 0 is before the first event. */
export function positionText(position: number): Position {
  return position === 0 ? START : String(position).padStart(POSITION_DIGITS, '0');
}

/** @throws TypeError when this is not a position of this store. */
export function positionNumber(position: Position): number {
  if (position === START) return 0;
  if (!POSITION.test(position)) throw new TypeError(`"${position}" is not a position of this event store`);
  return Number(position);
}
