/**
 * Records nonce accounts that were advanced by a transaction which the log does not have. Only the seed's nonce authority can
 * sign one, so another service uses the same seed, or the log was replaced by an older copy.
 */

import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';

/** Milliseconds after which an advance is no longer reported. */
const REPORTED_FOR = 3_600_000;

export type ForeignAdvances = ReturnType<typeof createForeignAdvances>;

export function createForeignAdvances({
  clock,
  logger,
}: {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}) {
  let last: { readonly account: string; readonly observedAt: string } | undefined;
  return {
    record(account: string) {
      last = { account, observedAt: clock.now().toISOString() };
      logger.warn(
        { part: 'nonce-accounts', account },
        'nonce account advanced by a transaction that is not in this log: another service uses the same master seed, or the log is an older copy',
      );
    },
    /** Undefined if no advance was seen within an hour. */
    latest: () =>
      last !== undefined && clock.now().getTime() - Date.parse(last.observedAt) < REPORTED_FOR
        ? last
        : undefined,
  };
}
