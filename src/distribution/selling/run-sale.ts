/**
 * Decides on a run's sale: sell now, wait for a secret time, or keep the tokens for a reason. The times are unpredictable for
 * others and the same after a restart. Pure.
 */

import { createHmac } from 'node:crypto';
import type { DistributionState, OpenedRun, RecordedLink } from '../../streams/distribution.ts';
import { millisecondsOf } from '../../streams/distribution-interval.ts';
import type { DistributionRunState } from '../../streams/distribution-run.ts';
import type { DistributionSettings } from '../../streams/distribution-settings.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import type { SaleBasis } from '../../streams/sale-basis.ts';
import {
  isTransient,
  QUOTE_REFUSALS,
  type TransientRefusal,
  type UnsoldReason,
} from '../../streams/unsold-reasons.ts';
import type { Sale, SaleQuote } from './sale-venue.ts';

/** Maximum sales per run; each one that the chain refuses is quoted again. After that the tokens are kept. */
const MAX_SALES = 5;
/** Milliseconds within which a recorded sale at a market price must be signed, because the price may change. */
const SALE_GOOD_FOR = 60_000;

export type RunSale =
  /** `basis`: null if the price is fixed. */
  | { readonly kind: 'sell'; readonly sale: Sale; readonly basis: SaleBasis | null }
  /** `reason`: cause that must end before the sale; undefined if it only waits for `until`. */
  | {
      readonly kind: 'wait';
      readonly until: number;
      readonly reason: TransientRefusal | undefined;
      readonly lastCheck: number | undefined;
    }
  | { readonly kind: 'keep'; readonly reason: UnsoldReason };

interface SellingNow {
  readonly quote: SaleQuote;
  /** Time in milliseconds. */
  readonly now: number;
  /** Number of recorded sales of the run. */
  readonly tries: number;
  /** Number of the last market check; undefined if unknown. */
  readonly lastCheck: number | undefined;
  readonly nextCheck: (looked: number | undefined) => SaleCheck | undefined;
}

export function decideRunSale({ quote, now, tries, lastCheck, nextCheck }: SellingNow): RunSale {
  const reason = 'reason' in quote ? quote.reason : undefined;
  if (reason !== undefined && !isTransient(reason)) return { kind: 'keep', reason };
  if (tries >= MAX_SALES) return { kind: 'keep', reason: 'sale-refused' };
  if ('sale' in quote && quote.basis === null) return { kind: 'sell', sale: quote.sale, basis: null };
  const check = nextCheck(lastCheck);
  if (check === undefined)
    return { kind: 'keep', reason: reason ?? (tries > 0 ? 'sale-refused' : 'selling-time-over') };
  if ('until' in check) return { kind: 'wait', until: check.until, reason, lastCheck };
  if ('sale' in quote && quote.basis !== null)
    return { kind: 'sell', sale: quote.sale, basis: { at: new Date(now).toISOString(), ...quote.basis } };
  const next = nextCheck(check.check);
  return next !== undefined && 'until' in next
    ? { kind: 'wait', until: next.until, reason, lastCheck: check.check }
    : { kind: 'keep', reason: reason ?? 'selling-time-over' };
}

export function saleSchedule({
  open,
  run,
  now,
  secret,
}: {
  readonly open: Pick<OpenedRun, 'runId' | 'dueAt' | 'settings'>;
  readonly run: Pick<DistributionRunState, 'collected'>;
  readonly now: number;
  readonly secret: Uint8Array;
}): SellingNow['nextCheck'] {
  const { runId, dueAt, settings } = open;
  if (run.collected === undefined) throw new Error('the run cannot sell before it has collected');
  const { at: collectedAt } = run.collected;
  const selling = { runId, dueAt, collectedAt, interval: settings.distributionInterval };
  return (looked) => saleCheck(selling, now, looked, secret);
}

/** True if the link may be signed: a sale at a market price only while its quote is fresh. The desk's price is fixed. */
export function isFresh(
  { till, actions }: Pick<RecordedLink, 'till' | 'actions'>,
  { selling }: Pick<DistributionState, 'selling'>,
  now: number,
): boolean {
  const sale = actions.find((action) => action.kind === 'sell');
  if (sale === undefined) return true;
  const offer = selling?.offers.find((each) => each.till === till);
  return offer === undefined ? sale.venue === 'desk' : now - Date.parse(offer.basis.at) < SALE_GOOD_FOR;
}

/** The time of the sale stays secret. */
export function saleWaitingFor(reason: TransientRefusal | undefined): Wait {
  return reason === undefined
    ? waitFor('scheduled', 'The collected tax is sold at a secret time.')
    : waitFor('no-market', QUOTE_REFUSALS[reason]);
}

/** Part of the interval, and maximum milliseconds, after the withdrawal within which the market is first checked. */
const FIRST_WITHIN = 0.1;
const FIRST_AT_MOST = 10 * 60_000;
/** Milliseconds between two market checks. */
const MIN_PAUSE = 20_000;
const MAX_PAUSE = 120_000;
/**
 * Part of the next interval, and maximum milliseconds, for which a run tries to sell. Its payments wait during this time, and a
 * lasting price fall becomes the reference after 15 minutes.
 */
const SELLS_UNTIL = 0.5;
const SELLS_AT_MOST = 50 * 60_000;

interface SellingRun {
  readonly runId: string;
  /** ISO 8601. */
  readonly dueAt: string;
  /** ISO 8601 time at which the collected tax was recorded. */
  readonly collectedAt: string;
  readonly interval: DistributionSettings['distributionInterval'];
}

/** Number of the due market check, from 0; otherwise the time of the next check, in milliseconds. */
type SaleCheck = { readonly check: number } | { readonly until: number };

/** Undefined once the selling time is over. `looked`: number of the last market check; undefined if unknown. */
export function saleCheck(
  run: SellingRun,
  now: number,
  looked: number | undefined,
  secret: Uint8Array,
): SaleCheck | undefined {
  const { runId, dueAt, collectedAt, interval } = run;
  const collected = Date.parse(collectedAt);
  const length = millisecondsOf(interval);
  const first =
    collected + Math.floor(Math.min(length * FIRST_WITHIN, FIRST_AT_MOST) * fraction(runId, 0, secret));
  const ends = Math.max(first, Math.min(Date.parse(dueAt) + length * SELLS_UNTIL, collected + SELLS_AT_MOST));
  if (now < first) return { until: first };
  let check = 0;
  let next = first;
  for (;;) {
    next += MIN_PAUSE + Math.floor((MAX_PAUSE - MIN_PAUSE) * fraction(runId, check + 1, secret));
    if (next > now || next > ends) break;
    check += 1;
  }
  if (looked === undefined || looked < check) return { check };
  return now >= ends ? undefined : { until: Math.min(next, ends) };
}

/** Pseudo-random number from 0 to below 1. */
function fraction(runId: string, look: number, secret: Uint8Array): number {
  return createHmac('sha256', secret).update(`sale ${runId} ${look}`).digest().readUInt32LE(0) / 2 ** 32;
}
