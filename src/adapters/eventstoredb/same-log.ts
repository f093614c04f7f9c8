/**
 * Makes sure that the server still has the log that was followed. It may have restored an older copy of it, which may have
 * grown since: new events before our place would be skipped silently.
 */
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Connection } from './connection.ts';
import { firstRecord, idAt, idAtRevision, PositionUnknown, startAfter } from './reading.ts';

/** The event at the place up to which the log was followed; its stream too, if it was read there. */
export interface LastEvent {
  readonly id: string;
  readonly stream?: string;
  readonly revision?: number;
}

export interface SameLog {
  /** The server has another log than before, or an older copy of it. */
  readonly isReplaced: boolean;
  /** Undefined where no event is known at the place. */
  follow(last: LastEvent | undefined): void;
  /** Where a subscription must start to deliver what is after the place. Rejects if the log is another one. */
  startAfter(place: Position, signal: AbortSignal): Promise<Position>;
}

/** What this process knows comes from another log. */
export const REPLACED = 'the event log was replaced: restart this process';

export function createSameLog({
  connection,
  prefix,
  logger,
}: {
  readonly connection: Connection;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  readonly logger: Logger;
}): SameLog {
  let last: LastEvent | undefined;
  let isReplaced = false;

  async function idOfLast(signal: AbortSignal): Promise<string | undefined> {
    const { stream, revision } = last ?? {};
    if (stream === undefined || revision === undefined) return undefined;
    return idAtRevision(connection, prefix + stream, revision, signal);
  }

  /** A scavenged event does not mean a different log. */
  function requireSame(found: string | undefined): void {
    if (found === undefined || last === undefined || found === last.id) return;
    if (!isReplaced) logger.warn({}, 'event log replaced, restart this process');
    isReplaced = true;
    throw new Error(REPLACED);
  }

  return {
    get isReplaced() {
      return isReplaced;
    },
    follow(event) {
      last = event;
    },
    async startAfter(place, signal) {
      const start = await startAfter(connection, place, signal).catch(async (error: unknown) => {
        // Only an event that is another one shows that the log is another one; `unknown` may pass.
        if (error instanceof PositionUnknown) requireSame(await idOfLast(signal));
        throw error;
      });
      const found = await idAt(connection, place, signal);
      requireSame(found ?? (await idOfLast(signal)));
      // A log that ends earlier lacks what was followed: what it records next would lie before the place, and be missed.
      if (
        found === undefined &&
        place > ((await firstRecord(connection, 'end', 'backwards', signal)) ?? START)
      )
        throw new Error(`the event log ends before ${place}, which was followed before`);
      return start;
    },
  };
}
