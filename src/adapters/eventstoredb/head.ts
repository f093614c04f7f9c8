/** Finds this log's last event in a shared database, reading only what is new. */
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { Connection } from './connection.ts';
import { isOurs, logRequest, positionOf } from './messages.ts';
import { firstRecord, lastPosition, patiently, take } from './reading.ts';

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

  async function lastAfter(
    position: Position,
    signal: AbortSignal | undefined,
  ): Promise<Position | undefined> {
    let last: Position | undefined;
    const request = logRequest(position, 'forwards', { prefixes: [prefix] });
    for await (const message of take(connection, request, patiently(signal))) {
      const record = message.getEvent()?.getEvent();
      if (record !== undefined && isOurs(record, prefix)) last = positionOf(record);
    }
    return last;
  }

  return async (signal) => {
    const recent = recentPosition();
    if (recent !== undefined && (known === undefined || recent > known.last)) learn(recent, recent);
    const end = (await firstRecord(connection, 'end', 'backwards', signal)) ?? START;
    const before = known;
    if (before === undefined) {
      const last = (await lastPosition(connection, prefix, signal)) ?? START;
      // An aborted read has found out nothing.
      return signal?.aborted ? last : learn(last, last > end ? last : end);
    }
    if (end <= before.lookedTo) return before.last;
    const last = (await lastAfter(before.lookedTo, signal)) ?? before.last;
    return signal?.aborted ? last : learn(last > before.last ? last : before.last, last > end ? last : end);
  };
}
