/** Decides what a run does about its sale now: sells, waits for a secret moment, or keeps the tokens and says why. */
import type { DistributionState, OpenedRun } from '../../streams/distribution.ts';
import type { DistributionRunState } from '../../streams/distribution-run.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import type { SaleBasis } from '../../streams/sale-basis.ts';
import {
  isPassing,
  type PassingRefusal,
  QUOTE_REFUSALS,
  type UnsoldReason,
} from '../../streams/unsold-reasons.ts';
import { type SaleMoment, saleMoment } from './sale-moments.ts';
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
  readonly momentAfter: (looked: number | undefined) => SaleMoment;
}

/** Pure. */
export function decideRunSale({ quote, now, tries, looked, momentAfter }: SellingNow): RunSale {
  if (quote.outcome === 'sale' && quote.basis === null)
    return tries < MOST_SALES
      ? { kind: 'sell', sale: quote.sale, basis: null }
      : { kind: 'keep', reason: 'sale-refused' };
  const refusal = quote.outcome === 'refused' ? quote.reason : undefined;
  if (refusal !== undefined && !isPassing(refusal)) return { kind: 'keep', reason: refusal };
  if (tries >= MOST_SALES) return { kind: 'keep', reason: 'sale-refused' };
  const reason: PassingRefusal | undefined = refusal;
  const moment = momentAfter(looked);
  if (moment.kind === 'wait') return { kind: 'wait', until: moment.until, reason, looked };
  if (moment.kind === 'over')
    return { kind: 'keep', reason: reason ?? (tries > 0 ? 'sale-refused' : 'selling-time-over') };
  if (quote.outcome === 'sale' && quote.basis !== null)
    return { kind: 'sell', sale: quote.sale, basis: { at: new Date(now).toISOString(), ...quote.basis } };
  const next = momentAfter(moment.look);
  return next.kind === 'wait'
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

/** Whether a link may be signed: a sale at a market's price only while its quote is fresh. */
export function isFresh(
  link: { readonly till: string; readonly actions: readonly { readonly kind: string }[] },
  { selling }: Pick<DistributionState, 'selling'>,
  { now, isFixed }: { readonly now: number; readonly isFixed: boolean },
): boolean {
  if (isFixed || !link.actions.some(({ kind }) => kind === 'sell')) return true;
  const offer = selling?.offers.find(({ till }) => till === link.till);
  return offer !== undefined && now - Date.parse(offer.basis.at) < SALE_GOOD_FOR;
}

/** The moment itself stays secret. */
export function saleWaitingFor(reason: PassingRefusal | undefined): Wait {
  return reason === undefined
    ? waitFor('scheduled', 'The collected tax is sold at a secret moment.')
    : waitFor('no-market', QUOTE_REFUSALS[reason]);
}
