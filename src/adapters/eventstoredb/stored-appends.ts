/** Appends to streams of this log, and how many events each keeps. */
import { checkAppend, checkKeepLast } from '../../kernel/ports/append-rules.ts';
import type { EventStore, Position } from '../../kernel/ports/event-store.ts';
import type { Appender } from './append.ts';
import type { Connection } from './connection.ts';
import { EventStoreSilent } from './errors.ts';
import { keptCountAppend, metadataOf } from './kept-count.ts';
import type { LogTail } from './log-tail.ts';
import { untilShown } from './shown.ts';

export function createStoredAppends(options: {
  readonly connection: Connection;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  readonly appender: Appender;
  readonly tail: Pick<LogTail, 'isReplaced' | 'trouble'>;
  readonly head: () => Promise<Position>;
}): Pick<EventStore, 'append' | 'keepLast'> {
  const { connection, prefix, appender, tail, head } = options;
  return {
    async append(stream, expected, events) {
      if (tail.isReplaced) throw new EventStoreSilent(tail.trouble ?? 'the event log was replaced');
      const checked = checkAppend(stream, expected, events);
      const result = await appender.append(prefix + stream, expected, checked);
      if (result.outcome === 'conflict') {
        if (result.actual !== 'none' && (expected === 'none' || result.actual > expected))
          await untilShown(connection, prefix + stream, result.actual);
        return result;
      }
      // Where the append's events are no longer kept, the server remembers only its revision.
      return { ...result, position: result.position ?? (await head()) };
    },
    async keepLast(stream, count) {
      checkKeepLast(stream, count);
      const metadata = await metadataOf(connection, prefix + stream);
      // Setting it appends an event, which every start would otherwise repeat.
      if (metadata.$maxCount === count) return;
      await appender.append(...keptCountAppend(prefix + stream, metadata, count));
    },
  };
}
