/** Resolves a position or time to the position at which a log is cut. */

import { OperatorError } from '../../kernel/ports/errors.ts';
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';

/** Inclusive end of a cut log. */
export interface Cut {
  readonly position: Position;
  readonly time: string;
}

/**
 * Resolves a position to the last event at or before it, and a time to the last event before the first one recorded after it.
 * Rejects with `OperatorError` if no event remains, or if the position is after the end of the log.
 */
export async function cutAt(
  log: LogReader,
  until: string,
  progress: (position: Position) => void = () => undefined,
): Promise<Cut> {
  const asked = timeOf(until);
  const head = await log.head();
  if (asked === undefined && until > head) {
    throw new OperatorError(
      `position ${until} is after the end of the log, ${head === START ? 'which is empty' : head}`,
    );
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
      head === START
        ? 'the log is empty'
        : `the log has no event up to ${until}; give a later position or time`,
    );
  }
  return {
    position: last.position,
    time: asked === undefined ? last.time : new Date(asked).toISOString(),
  };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since the epoch; undefined for a position. A date without a time means its start in UTC. */
function timeOf(until: string): number | undefined {
  if (!until.includes('-')) return undefined;
  const time = ISO_TIME.test(until) ? Date.parse(until) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new OperatorError(
    `${JSON.stringify(until)} must be a position, or a time with its zone such as 2026-11-22T15:04:05Z`,
  );
}
