/** How parts report events to the operator. */
import type { FastifyBaseLogger } from 'fastify';

/** A part's reports are logged under its name. */
export type ReportOf = (part: string) => (message: string, details: object) => void;

/** Logged as a warning, unless the details mark it as usual, or as a failure of what the service needs. */
export function createReportOf(log: FastifyBaseLogger): ReportOf {
  return (part) => (message, details) => {
    const { isUsual, isFailure, ...shown } = { isUsual: false, isFailure: false, ...details };
    log[isFailure ? 'error' : isUsual ? 'info' : 'warn']({ part, ...shown }, message);
  };
}
