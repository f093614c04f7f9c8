/** The logger of the service's parts: what fails again and again does not fill the log. */
import { LRUCache } from 'lru-cache';
import { type Logger, type LogLevel, loggerTo } from '../kernel/ports/logger.ts';

/** The same warning or error is logged once in this time, with how often it came in between. Milliseconds. */
const REPEATED_AFTER = 60_000;
/** More are forgotten, and then logged again. */
const MOST_REMEMBERED = 1_000;

export function createLogger(
  log: Pick<Logger, LogLevel>,
  now: () => number = () => performance.now(),
): Logger {
  const logged = new LRUCache<string, { readonly at: number; repeated: number }>({ max: MOST_REMEMBERED });

  /** Number of unlogged repetitions since the entry was last logged; undefined if it is too early to log it again. */
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
    const repeated = repetitions(JSON.stringify([message, fields]));
    if (repeated !== undefined) log[level](repeated === 0 ? fields : { ...fields, repeated }, message);
  });
}
