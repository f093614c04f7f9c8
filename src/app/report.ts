/** How parts report events to the operator. */
import type { FastifyBaseLogger } from 'fastify';

/** A part's reports are logged under its name. */
export type ReportOf = (part: string) => (message: string, details: object) => void;

/** The same report is logged once in this time, with how often it came in between. Milliseconds. */
const REPEATED_AFTER = 60_000;
/** More are forgotten, and then logged again. */
const MOST_REMEMBERED = 1_000;

/**
 * Logged as a warning, unless the details mark it as usual, or as a failure of what the service needs. What fails again
 * and again does not fill the log.
 */
export function createReportOf(log: FastifyBaseLogger): ReportOf {
  const logged = new Map<string, { readonly at: number; repeated: number }>();

  /** How often it came unlogged since it was logged last; undefined if it is too early to log it again. */
  function repetitions(key: string): number | undefined {
    const before = logged.get(key);
    const at = performance.now();
    if (before !== undefined && at - before.at < REPEATED_AFTER) {
      before.repeated += 1;
      return undefined;
    }
    logged.delete(key);
    logged.set(key, { at, repeated: 0 });
    const [oldest] = logged.keys();
    if (logged.size > MOST_REMEMBERED && oldest !== undefined) logged.delete(oldest);
    return before?.repeated ?? 0;
  }

  return (part) => (message, details) => {
    const { isUsual, isFailure, ...shown } = { isUsual: false, isFailure: false, ...details };
    if (isUsual) {
      log.info({ part, ...shown }, message);
      return;
    }
    const repeated = repetitions(JSON.stringify([part, message, shown]));
    if (repeated === undefined) return;
    const fields = { part, ...shown, ...(repeated === 0 ? {} : { repeated }) };
    log[isFailure ? 'error' : 'warn'](fields, message);
  };
}
