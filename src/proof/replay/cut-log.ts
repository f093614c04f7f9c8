/** Finds where a log is cut: at a position, or at a time. */

import { OperatorError } from '../../kernel/ports/errors.ts';
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';

/** Position at which the log is cut. */
export interface Cut {
  readonly position: Position;
  readonly time: string;
}

/**
 * At a position: up to and including it. At a time: before the first event that was recorded later, so that an event
 * recorded at that very millisecond is in it. Rejects with `OperatorError` where nothing is left, and for a position behind
 * the end of the log.
 */
export async function cutAt(
  log: LogReader,
  until: string,
  progress: (position: Position) => void = () => undefined,
): Promise<Cut> {
  const asked = timeOf(until);
  const head = await log.head();
  if (asked === undefined && until > head) {
    throw new OperatorError(`the log ends at ${head === START ? 'its start' : head}, before ${until}`);
  }
  let last: { readonly position: Position; readonly time: string } | undefined;
  for await (const { position, metadata } of log.events()) {
    const recordedAt = typeof metadata.occurredAt === 'string' ? metadata.occurredAt : undefined;
    const isLater =
      asked === undefined ? position > until : recordedAt !== undefined && Date.parse(recordedAt) > asked;
    if (isLater) break;
    last = { position, time: recordedAt ?? last?.time ?? new Date(0).toISOString() };
    progress(position);
  }
  if (last === undefined) {
    throw new OperatorError(
      head === START ? 'the log is empty' : `the log has no event up to ${until}: it begins later`,
    );
  }
  return {
    position: last.position,
    time: asked === undefined ? last.time : new Date(asked).toISOString(),
  };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Undefined for a position. A date alone is its first moment in UTC. */
function timeOf(until: string): number | undefined {
  if (!until.includes('-')) return undefined;
  const time = ISO_TIME.test(until) ? Date.parse(until) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new OperatorError(
    `${JSON.stringify(until)} is neither a position nor a time such as 2026-11-22T15:04:05Z; a time says its zone`,
  );
}
