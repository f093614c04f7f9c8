/** Sums of closed runs, as stored by the read models of a token, of a day and of all tokens. */
import type { EventOf } from '../kernel/runtime/define-stream.ts';
import type { distributionEvents, RewardAsset } from '../streams/distribution.ts';
import { sumAmounts } from '../streams/sum-amounts.ts';

/** Decimal digits of any length: lamports, and base units of the token. */
export type ByAsset = { readonly [Asset in RewardAsset]: string };

/** Payments by recipient; the parts add up to all payments. */
type PaidTotals = {
  readonly holders: ByAsset;
  readonly developer: ByAsset;
  /** Repaid to the distributor for its fees. */
  readonly costs: ByAsset;
  /** Debts from before a change of the reward token, to holders and the developer together. */
  readonly debts: ByAsset;
};

/** Decimal digits of any length; base units of the token unless noted. */
export type RunSums = {
  readonly runs: number;
  readonly collected: string;
  readonly burned: string;
  readonly sold: string;
  /** Lamports received from sales. */
  readonly proceeds: string;
  readonly paidTo: PaidTotals;
  /** Number of payments to holders. */
  readonly holdersPaid: number;
  /** Lamports of fees paid by the distributor. */
  readonly fees: string;
};

export const NOTHING: ByAsset = { sol: '0', token: '0' };

export const NO_RUNS: RunSums = {
  runs: 0,
  collected: '0',
  burned: '0',
  sold: '0',
  proceeds: '0',
  paidTo: { holders: NOTHING, developer: NOTHING, costs: NOTHING, debts: NOTHING },
  holdersPaid: 0,
  fees: '0',
};

export type ClosedRun = Extract<EventOf<typeof distributionEvents>, { type: 'RunClosed' }>['data'];

export function sumsOfRun({
  asset,
  amounts,
  paidTo,
  paidDebts,
  fees,
}: Pick<ClosedRun, 'asset' | 'amounts' | 'paidTo' | 'paidDebts' | 'fees'>): RunSums {
  const inAsset = (amount: string): ByAsset => ({ ...NOTHING, [asset]: amount });
  return {
    runs: 1,
    collected: amounts.collected,
    burned: amounts.burned,
    sold: sumAmounts(amounts.sold.developer, amounts.sold.holders),
    proceeds: amounts.proceeds,
    paidTo: {
      holders: inAsset(paidTo.holders),
      developer: inAsset(paidTo.developer),
      costs: inAsset(paidTo.costs),
      debts: { ...NOTHING, [asset === 'sol' ? 'token' : 'sol']: paidDebts },
    },
    holdersPaid: paidTo.holdersPaid,
    fees,
  };
}

/** Sum of all payments. */
export function paidIn({ holders, developer, costs, debts }: PaidTotals): ByAsset {
  return [holders, developer, costs, debts].reduce(add);
}

type Summable = number | string | { readonly [part: string]: Summable };

/** Adds counts, digit strings, and nested sums part by part. */
export function add<Sums extends Summable>(one: Sums, other: Sums): Sums {
  return added(one, other) as Sums;
}

function added(one: Summable | undefined, other: Summable): Summable {
  if (typeof other === 'number') return other + Number(one);
  if (typeof other === 'string') return sumAmounts(other, String(one));
  const parts = Object(one) as typeof other;
  return Object.fromEntries(Object.entries(other).map(([part, value]) => [part, added(parts[part], value)]));
}
