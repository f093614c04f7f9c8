/** Maps events to rows of the table `events`, and positions to text. */
import { type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import { readStoredJson } from '../../kernel/ports/stored-json.ts';
import { hasTable, type SqliteDatabase } from './database.ts';

const POSITION_DIGITS = 20;
export const POSITION = /^[0-9]{20}$/;

export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, metadata';
export type EventRow = readonly [number, string, number, string, string, string, string];

export function recordedEvent(row: EventRow): RecordedEvent {
  const [position, stream, revision, id, type, data, metadata] = row;
  return {
    id,
    type,
    ...readStoredJson(data, metadata),
    stream,
    revision,
    position: positionText(position),
  };
}

/** Position 0 is before the first event. */
export function positionText(position: number): Position {
  return position === 0 ? START : String(position).padStart(POSITION_DIGITS, '0');
}

/** @throws TypeError if this is not a position of this store. */
export function positionNumber(position: Position): number {
  if (position === START) return 0;
  if (!POSITION.test(position)) throw new TypeError(`"${position}" is not a position of this event store`);
  return Number(position);
}

/**
 * Position before the first event: 0, or higher in a log copied from another store, so that the other store's positions are
 * invalid here and later events still compare greater.
 */
export function positionOffset(database: SqliteDatabase): number {
  if (!hasTable(database, 'numbering')) return 0;
  return database.statement<[number]>('SELECT begins_after FROM numbering').row()?.[0] ?? 0;
}

/** Must be called once, before the first event. */
export function setPositionOffset(database: SqliteDatabase, position: number): void {
  database.execute('CREATE TABLE numbering (begins_after INTEGER NOT NULL) STRICT');
  database.statement('INSERT INTO numbering VALUES (?)').run(position);
}
