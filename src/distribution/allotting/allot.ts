/**
 * Decides who gets how much by a run, and why somebody gets nothing. Pure. Columns instead of objects: a run may have a
 * million owners. The work is done in slices, and yields after each, so that whoever drives it can let others run.
 */
import type { DistributionSettings } from '../../streams/distribution-settings.ts';
import { type AmountColumn, createAmountColumn, createSum } from '../amounts/amount-column.ts';
import { beginDivision, divide } from '../amounts/shares.ts';
import { weigh } from '../amounts/weights.ts';
import { REASONS, type Reason } from '../ledger/record.ts';

/** Whether an owner takes part. `program-owned` ones earn shares, which are paid once somebody lists them in. */
export const STANDINGS = ['takes-part', 'excluded-by-creator', 'excluded', 'pool', 'program-owned'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Everybody whom the scan found, and everybody who is owed or was ever paid. One place in each column for each. */
export interface Owners {
  readonly count: number;
  /** What weights and the minimum holding go by: the balance, or the lesser of two scans. */
  readonly bases: AmountColumn;
  readonly owed: AmountColumn;
  /** Places in `STANDINGS`. */
  readonly standings: Uint8Array;
  /** 1 where an account is there that can take the asset. */
  readonly hasAccount: Uint8Array;
}

export interface AllotmentTerms {
  /** The holders' part and earlier dust. */
  readonly amount: bigint;
  readonly model: DistributionSettings['distributionModel'];
  readonly minimumHolding: bigint;
  readonly leastShare: bigint;
  readonly minimumPayout: bigint;
  /** An absent account is made by a payment of SOL that is at least its rent. Tokens need an account that is there. */
  readonly asset: { readonly kind: 'sol'; readonly rentFloor: bigint } | { readonly kind: 'token' };
}

export interface Allotted {
  readonly shares: AmountColumn;
  readonly planned: AmountColumn;
  /** Places in `REASONS`. */
  readonly reasons: Uint8Array;
  readonly sumOfWeights: bigint;
  readonly sumOfShares: bigint;
  readonly sumOfPlanned: bigint;
  /** Owners who are paid. */
  readonly payments: number;
  /** What could not be divided; the next run divides it. */
  readonly dust: bigint;
}

const OWNERS_PER_SLICE = 4_096;

/** Yields after each slice; returns the result. */
export function* allot(owners: Owners, terms: AllotmentTerms): Generator<void, Allotted> {
  const { count } = owners;
  const weights = createAmountColumn(count);
  const sumOfWeights = createSum();
  for (const [from, to] of slices(count)) {
    weigh(terms.model, owners.bases, weights, from, to);
    for (let index = from; index < to; index++) {
      if (!earns(owners, terms, index)) weights.set(index, 0n);
      sumOfWeights.add(weights.halves[2 * index] ?? 0, weights.halves[2 * index + 1] ?? 0);
    }
    yield;
  }

  const shares = createAmountColumn(count);
  const total = sumOfWeights.total();
  let sumOfShares = 0n;
  if (total > 0n) {
    const { amount, leastShare } = terms;
    const division = beginDivision({ amount, weights, sumOfWeights: total, leastShare, shares });
    for (const [from, to] of slices(count)) {
      divide(division, from, to);
      yield;
    }
    sumOfShares = division.sumOfShares.total();
  }

  // An owner's weight is not needed any more when their payment is known: one column serves both.
  const planned = weights;
  const reasons = new Uint8Array(count);
  let sumOfPlanned = 0n;
  let payments = 0;
  for (const [from, to] of slices(count)) {
    for (let index = from; index < to; index++) {
      const due = owners.owed.get(index) + shares.get(index);
      const reason = reasonFor(owners, terms, index, due, weights.get(index));
      reasons[index] = REASONS.indexOf(reason);
      planned.set(index, reason === 'planned' ? due : 0n);
      if (reason !== 'planned') continue;
      sumOfPlanned += due;
      payments += 1;
    }
    yield;
  }
  return {
    shares,
    planned,
    reasons,
    sumOfWeights: total,
    sumOfShares,
    sumOfPlanned,
    payments,
    dust: terms.amount - sumOfShares,
  };
}

function standingOf({ standings }: Owners, index: number): Standing {
  const standing = STANDINGS[standings[index] ?? 0];
  if (standing === undefined) throw new RangeError(`the standing of owner ${index} is unknown`);
  return standing;
}

function earns(owners: Owners, { minimumHolding }: AllotmentTerms, index: number): boolean {
  const standing = standingOf(owners, index);
  return (
    (standing === 'takes-part' || standing === 'program-owned') && owners.bases.get(index) >= minimumHolding
  );
}

/** A debt is paid to whoever sold since, and to whoever the creator keeps out since: it was earned before. */
function reasonFor(
  owners: Owners,
  { minimumPayout, asset }: AllotmentTerms,
  index: number,
  due: bigint,
  weight: bigint,
): Reason {
  const standing = standingOf(owners, index);
  if (standing === 'excluded' || standing === 'pool' || standing === 'program-owned') return standing;
  if (due === 0n) {
    if (standing === 'excluded-by-creator') return standing;
    return weight === 0n ? 'below-minimum-holding' : 'below-least-share';
  }
  if (due < minimumPayout) return 'below-minimum-payout';
  if (owners.hasAccount[index] === 1) return 'planned';
  if (asset.kind === 'token') return 'no-account';
  return due >= asset.rentFloor ? 'planned' : 'under-rent-floor';
}

function* slices(count: number): Generator<readonly [number, number]> {
  for (let from = 0; from < count; from += OWNERS_PER_SLICE)
    yield [from, Math.min(count, from + OWNERS_PER_SLICE)];
}
