/** Resolves `--since`, a position or a time, to a position of the log. */

import { OperatorError } from '../../../kernel/ports/errors.ts';
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';

/**
 * Returns positions unchanged; for a time, returns the position of the last event before the first one recorded at or after it.
 * Rejects with `OperatorError` for other input.
 */
export async function positionSince(
  log: Pick<LogReader, 'events' | 'head'>,
  since: string,
): Promise<Position> {
  if (!/^\d{4}-\d\d-\d\d/.test(since)) {
    if (/^\d+/.test(since)) return since;
    throw new OperatorError('--since must be a position of the log, or a time such as 2026-11-01T00:00:00Z');
  }
  const time = Date.parse(since);
  if (Number.isNaN(time)) throw new OperatorError(`--since is not a valid time: ${since}`);
  let before: Position = '';
  for await (const { position, metadata } of log.events()) {
    if (Date.parse(String(metadata.occurredAt)) >= time) return before;
    before = position;
  }
  return before;
}
