/** How parts tell the operator of what they meet. */
import type { FastifyBaseLogger } from 'fastify';

/** What is reported about a part goes to the log under its name. */
export type ReportOf = (part: string) => (message: string, details: object) => void;

/** Logged as a warning, unless the details say that it is usual. */
export function createReportOf(log: FastifyBaseLogger): ReportOf {
  return (part) => (message, details) => {
    const { isUsual, ...shown } = { isUsual: false, ...details };
    log[isUsual ? 'info' : 'warn']({ part, ...shown }, message);
  };
}
