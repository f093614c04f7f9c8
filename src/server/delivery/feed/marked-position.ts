/**
 * The ids of the stream: a position with a mark of the log's numbering, so that an id of another store, where the same
 * number is another event's, is told apart. A position without a mark, such as an `X-Position`, counts as this log's.
 */
import { createHash } from 'node:crypto';
import type { Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';

const MARKED = /^(.+)\.([0-9a-f]{8})$/;

/** The first event is nowhere else at the same position: copies with other positions begin elsewhere. */
export function markOf({ id, position }: Pick<RecordedEvent, 'id' | 'position'>): string {
  return createHash('sha256').update(`${id} ${position}`).digest('hex').slice(0, 8);
}

export function marked(position: Position, mark: string): string {
  return `${position}.${mark}`;
}

export function isMarked(id: string): boolean {
  return MARKED.test(id);
}

/** Undefined for an id of another numbering. */
export function positionIn(id: string, mark: string): Position | undefined {
  const [, position, found] = MARKED.exec(id) ?? [];
  if (position === undefined) return id;
  return found === mark ? position : undefined;
}
