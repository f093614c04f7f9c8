/** Finds this log's last event in a shared database, whatever was recorded since it was last sought. */
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { Connection } from './connection.ts';
import { isOurs, positionOf } from './messages.ts';
import { firstMatch, lastPosition, lastRecord } from './reading.ts';

/** If the signal is aborted, the result means nothing. */
export type Head = (signal?: AbortSignal) => Promise<Position>;

/** `recentPosition`: the last known event of this log, however old; undefined if none is known. */
export function createHead(
  connection: Connection,
  prefix: string,
  recentPosition: () => Position | undefined,
): Head {
  /** No event between the two belongs to this log. */
  let known: { readonly last: Position; readonly lookedTo: Position } | undefined;

  function learn(last: Position, lookedTo: Position): Position {
    if (known === undefined || last > known.last || (last === known.last && lookedTo > known.lookedTo)) {
      known = { last, lookedTo };
    }
    return last;
  }

  /** Few records are read, however many are new: an idle log is searched forwards, any other backwards from the end. */
  async function lastUpTo(end: Position, signal: AbortSignal | undefined): Promise<Position> {
    const before = known;
    if (before !== undefined) {
      if (end <= before.lookedTo) return before.last;
      const next = await firstMatch(connection, prefix, before.lookedTo, signal);
      if (next === undefined) return before.last;
    }
    const last = (await lastPosition(connection, prefix, signal)) ?? START;
    return before !== undefined && before.last > last ? before.last : last;
  }

  return async (signal) => {
    const recent = recentPosition();
    if (recent !== undefined && (known === undefined || recent > known.last)) learn(recent, recent);
    const record = await lastRecord(connection, signal);
    const end = record === undefined ? START : positionOf(record);
    const last = record !== undefined && isOurs(record, prefix) ? end : await lastUpTo(end, signal);
    // An aborted read has found out nothing.
    return signal?.aborted ? last : learn(last, last > end ? last : end);
  };
}
