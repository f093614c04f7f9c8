/** What runs have paid, by what it was paid for: sums that several read models keep. */
import type { EventOf } from '../kernel/runtime/define-stream.ts';
import type { distributionEvents, RewardAsset } from '../streams/distribution.ts';
import { sum } from '../streams/sum-of-digits.ts';

/** Digits of any length: lamports, and base units of the token. */
export type ByAsset = { readonly [Asset in RewardAsset]: string };

/** All parts together are everything that was paid. */
export type PaidTotals = {
  readonly holders: ByAsset;
  readonly developer: ByAsset;
  /** To the distributor, for its fees. */
  readonly costs: ByAsset;
  /** Owed since before the reward token changed: to holders and to the developer, which is not told apart any more. */
  readonly debts: ByAsset;
};

export const NOTHING: ByAsset = { sol: '0', token: '0' };

export const NOTHING_PAID: PaidTotals = {
  holders: NOTHING,
  developer: NOTHING,
  costs: NOTHING,
  debts: NOTHING,
};

const PARTS = ['holders', 'developer', 'costs', 'debts'] as const;

export type ClosedRun = Extract<EventOf<typeof distributionEvents>, { type: 'RunClosed' }>['data'];

/** What one run has paid. */
export function paidByRun({
  asset,
  paidTo,
  paidDebts,
}: Pick<ClosedRun, 'asset' | 'paidTo' | 'paidDebts'>): PaidTotals {
  const other: RewardAsset = asset === 'sol' ? 'token' : 'sol';
  const debts = { ...NOTHING, [other]: paidDebts };
  const inAsset = (amount: string): ByAsset => ({ ...NOTHING, [asset]: amount });
  return {
    holders: inAsset(paidTo.holders),
    developer: inAsset(paidTo.developer),
    costs: inAsset(paidTo.costs),
    debts,
  };
}

export function addPaid(one: PaidTotals, other: PaidTotals): PaidTotals {
  const added = PARTS.map((part) => [part, addByAsset(one[part], other[part])]);
  return Object.fromEntries(added) as PaidTotals;
}

export function addByAsset(one: ByAsset, other: ByAsset): ByAsset {
  return { sol: sum(one.sol, other.sol), token: sum(one.token, other.token) };
}
