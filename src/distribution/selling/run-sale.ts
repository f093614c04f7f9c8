/**
 * Decides what a run does about its sale now: sells, waits for a secret moment, or keeps the tokens and says why. The moments are
 * unpredictable for others and the same after a restart. Pure.
 */

import { createHmac } from 'node:crypto';
import type { DistributionState, OpenedRun, RecordedLink } from '../../streams/distribution.ts';
import { millisecondsOf } from '../../streams/distribution-interval.ts';
import type { DistributionRunState } from '../../streams/distribution-run.ts';
import type { DistributionSettings } from '../../streams/distribution-settings.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import type { SaleBasis } from '../../streams/sale-basis.ts';
import {
  isPassing,
  type PassingRefusal,
  QUOTE_REFUSALS,
  type UnsoldReason,
} from '../../streams/unsold-reasons.ts';
import type { Sale, SaleQuote } from './sale-venue.ts';

/** A sale that the chain refuses is tried again with a new quote so often; then its tokens are kept. */
export const MOST_SALES = 5;
/** Milliseconds after which a recorded sale at a market's price is not signed again: the price may be another. */
export const SALE_GOOD_FOR = 60_000;

export type RunSale =
  /** `basis`: null where the price is fixed. */
  | { readonly kind: 'sell'; readonly sale: Sale; readonly basis: SaleBasis | null }
  /** `reason`: what has to pass, where it is more than the moment that is waited for. */
  | {
      readonly kind: 'wait';
      readonly until: number;
      readonly reason: PassingRefusal | undefined;
      readonly looked: number | undefined;
    }
  | { readonly kind: 'keep'; readonly reason: UnsoldReason };

export interface SellingNow {
  readonly quote: SaleQuote;
  /** Milliseconds. */
  readonly now: number;
  /** Sales of the run that were recorded. */
  readonly tries: number;
  /** When the market was last looked at; undefined if no look is known. */
  readonly looked: number | undefined;
  readonly momentAfter: (looked: number | undefined) => SaleMoment | undefined;
}

/** Pure. */
export function decideRunSale({ quote, now, tries, looked, momentAfter }: SellingNow): RunSale {
  const reason = 'reason' in quote ? quote.reason : undefined;
  if (reason !== undefined && !isPassing(reason)) return { kind: 'keep', reason };
  if (tries >= MOST_SALES) return { kind: 'keep', reason: 'sale-refused' };
  if ('sale' in quote && quote.basis === null) return { kind: 'sell', sale: quote.sale, basis: null };
  const moment = momentAfter(looked);
  if (moment === undefined)
    return { kind: 'keep', reason: reason ?? (tries > 0 ? 'sale-refused' : 'selling-time-over') };
  if ('until' in moment) return { kind: 'wait', until: moment.until, reason, looked };
  if ('sale' in quote && quote.basis !== null)
    return { kind: 'sell', sale: quote.sale, basis: { at: new Date(now).toISOString(), ...quote.basis } };
  const next = momentAfter(moment.look);
  return next !== undefined && 'until' in next
    ? { kind: 'wait', until: next.until, reason, looked: moment.look }
    : { kind: 'keep', reason: reason ?? 'selling-time-over' };
}

export function momentsOf({
  open,
  run,
  now,
  secret,
}: {
  readonly open: Pick<OpenedRun, 'runId' | 'dueAt' | 'settings'>;
  readonly run: Pick<DistributionRunState, 'collected'>;
  readonly now: number;
  readonly secret: Uint8Array;
}): SellingNow['momentAfter'] {
  const { runId, dueAt, settings } = open;
  if (run.collected === undefined) throw new Error('a run sells what it has collected');
  const { at: collectedAt } = run.collected;
  const selling = { runId, dueAt, collectedAt, interval: settings.distributionInterval };
  return (looked) => saleMoment(selling, now, looked, secret);
}

/** True if the link may be signed: a sale at a market's price only while its quote is fresh. The desk's price is fixed. */
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

/** The moment itself stays secret. */
export function saleWaitingFor(reason: PassingRefusal | undefined): Wait {
  return reason === undefined
    ? waitFor('scheduled', 'The collected tax is sold at a secret moment.')
    : waitFor('no-market', QUOTE_REFUSALS[reason]);
}

/** The first look comes within a tenth of the interval, at most ten minutes, after the withdrawal, which the chain shows. */
const FIRST_WITHIN = 0.1;
const FIRST_AT_MOST = 10 * 60_000;
/** Milliseconds between two looks. */
const SHORTEST_PAUSE = 20_000;
const LONGEST_PAUSE = 120_000;
/**
 * A run sells until half of the next interval is over, but no longer than this, in milliseconds: its payments wait, and a
 * price that has really fallen is the reference a quarter of an hour later.
 */
const SELLS_UNTIL = 0.5;
const SELLS_AT_MOST = 50 * 60_000;

interface SellingRun {
  readonly runId: string;
  /** ISO 8601. */
  readonly dueAt: string;
  /** When the collected tax was recorded; ISO 8601. */
  readonly collectedAt: string;
  readonly interval: DistributionSettings['distributionInterval'];
}

/** A look, counted from 0, that is due; else until when the next is waited for, in milliseconds. */
export type SaleMoment = { readonly look: number } | { readonly until: number };

/** Undefined when the time for selling is over. `looked`: the last look that was taken; undefined if none is known of. */
export function saleMoment(
  run: SellingRun,
  now: number,
  looked: number | undefined,
  secret: Uint8Array,
): SaleMoment | undefined {
  const { runId, dueAt, collectedAt, interval } = run;
  const collected = Date.parse(collectedAt);
  const length = millisecondsOf(interval);
  const first =
    collected + Math.floor(Math.min(length * FIRST_WITHIN, FIRST_AT_MOST) * fraction(runId, 0, secret));
  const ends = Math.max(first, Math.min(Date.parse(dueAt) + length * SELLS_UNTIL, collected + SELLS_AT_MOST));
  if (now < first) return { until: first };
  let look = 0;
  let next = first;
  for (;;) {
    next += SHORTEST_PAUSE + Math.floor((LONGEST_PAUSE - SHORTEST_PAUSE) * fraction(runId, look + 1, secret));
    if (next > now || next > ends) break;
    look += 1;
  }
  if (looked === undefined || looked < look) return { look };
  return now >= ends ? undefined : { until: Math.min(next, ends) };
}

/** From 0 to below 1. */
function fraction(runId: string, look: number, secret: Uint8Array): number {
  return createHmac('sha256', secret).update(`sale ${runId} ${look}`).digest().readUInt32LE(0) / 2 ** 32;
}
