/** Logger of the service's parts, which limits repeated messages. */
import { LRUCache } from 'lru-cache';
import { type Logger, type LogLevel, loggerTo } from '../kernel/ports/logger.ts';

/**
 * Milliseconds during which repetitions of a warning or error are counted instead of logged; the next entry contains the
 * count. Entries with the same message, `part` and `code` are repetitions whatever their other fields, because thousands of
 * tokens may have the same problem at the same time.
 */
const REPEATED_AFTER = 60_000;
/** Maximum number of messages whose repetitions are counted; further messages are logged each time. */
const MAX_CACHED = 1_000;

export function createLogger(
  log: Pick<Logger, LogLevel>,
  now: () => number = () => performance.now(),
): Logger {
  const logged = new LRUCache<string, { readonly at: number; repeated: number }>({ max: MAX_CACHED });

  /** Number of unlogged repetitions since the last log entry; undefined while entries are suppressed. */
  function repetitions(key: string): number | undefined {
    const before = logged.get(key);
    const at = now();
    if (before !== undefined && at - before.at < REPEATED_AFTER) {
      before.repeated += 1;
      return undefined;
    }
    logged.set(key, { at, repeated: 0 });
    return before?.repeated ?? 0;
  }

  return loggerTo((message, fields, level) => {
    if (level === 'debug' || level === 'info') {
      log[level](fields, message);
      return;
    }
    const { part, code }: { part?: string; code?: string } = fields;
    const repeated = repetitions(JSON.stringify([message, code === undefined ? fields : { part, code }]));
    if (repeated !== undefined) log[level](repeated === 0 ? fields : { ...fields, repeated }, message);
  });
}
