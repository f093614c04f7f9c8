/**
 * Computes the payments of a run and the reason of each non-payment. Pure. Uses columns instead of objects, because a run may
 * have a million owners. Works in slices and yields after each, so that the caller can run other work in between.
 */

import { squareRoot } from '../../chain/integer-math.ts';
import type { DistributionSettings } from '../../streams/distribution-settings.ts';
import { type AmountColumn, createAmountColumn } from '../amounts/amount-column.ts';
import { REASONS, type Reason } from '../ledger/ledger-record.ts';

/** Eligibility of an owner. `program-owned` owners earn shares, which are paid once the creator lists them. */
export const ELIGIBILITIES = [
  'takes-part',
  'excluded-by-creator',
  'excluded',
  'pool',
  'program-owned',
  'program',
  'sysvar',
] as const;
export type Eligibility = (typeof ELIGIBILITIES)[number];

/** Columns of all owners that the scan found, that are owed or that were ever paid; one entry per owner. */
interface Owners {
  readonly count: number;
  /** Basis of weights and of the minimum holding: the balance, or the lesser of two scans. */
  readonly bases: AmountColumn;
  readonly owed: AmountColumn;
  /** Indexes into `ELIGIBILITIES`. */
  readonly eligibilities: Uint8Array;
  /** 1 if an account exists that can receive the asset. */
  readonly hasAccount: Uint8Array;
}

export interface AllotmentTerms {
  /** Amount to divide: the holders' part and earlier dust. */
  readonly amount: bigint;
  readonly model: DistributionSettings['distributionModel'];
  readonly minimumHolding: bigint;
  readonly minShare: bigint;
  readonly minimumPayout: bigint;
  /** A SOL payment of at least `rentFloor` creates an absent account; tokens need an existing account. */
  readonly asset: { readonly kind: 'sol'; readonly rentFloor: bigint } | { readonly kind: 'token' };
}

export interface Allotted {
  readonly shares: AmountColumn;
  readonly planned: AmountColumn;
  /** Indexes into `REASONS`. */
  readonly reasons: Uint8Array;
  readonly sumOfWeights: bigint;
  readonly sumOfShares: bigint;
  /** Indivisible remainder, which the next run divides. */
  readonly dust: bigint;
}

const OWNERS_PER_SLICE = 4_096;

/** Decisions per owner. `planned` holds the weights until the payments are decided. */
type AllotmentColumns = Pick<Allotted, 'shares' | 'planned' | 'reasons'>;

export function createAllotmentColumns(count: number): AllotmentColumns {
  return {
    shares: createAmountColumn(count),
    planned: createAmountColumn(count),
    reasons: new Uint8Array(count),
  };
}

/** Yields after each slice. Writes the result into `columns`; the columns of an earlier allotment can be reused. */
export function* allot(
  owners: Owners,
  terms: AllotmentTerms,
  columns: AllotmentColumns = createAllotmentColumns(owners.count),
): Generator<void, Allotted> {
  const { count } = owners;
  const { shares, planned: weights, reasons } = columns;
  let sumOfWeights = 0n;
  for (const [from, to] of slices(count)) {
    sumOfWeights += weighOwners(owners, terms, weights, from, to);
    yield;
  }

  const { amount, minShare } = terms;
  let sumOfShares = 0n;
  for (const [from, to] of slices(count)) {
    if (sumOfWeights > 0n)
      sumOfShares += divide({ amount, weights, sumOfWeights, leastShare: minShare, shares }, from, to);
    else for (let index = from; index < to; index++) shares.set(index, 0n);
    yield;
  }

  for (const [from, to] of slices(count)) {
    decidePayments(owners, terms, columns, from, to);
    yield;
  }
  return {
    shares,
    planned: weights,
    reasons,
    sumOfWeights,
    sumOfShares,
    dust: terms.amount - sumOfShares,
  };
}

/** Writes the weights for indexes from `from` to before `to`, and returns their sum. */
function weighOwners(
  { bases, eligibilities }: Owners,
  { model, minimumHolding }: AllotmentTerms,
  weights: AmountColumn,
  from: number,
  to: number,
): bigint {
  let sum = 0n;
  for (let index = from; index < to; index++) {
    const basis = bases.get(index);
    const earns = EARNING[requireEligibility(eligibilities, index)] === true && basis >= minimumHolding;
    const weight = earns ? weightOf(model, basis) : 0n;
    weights.set(index, weight);
    sum += weight;
  }
  return sum;
}

const MAX_DUE = 2n ** 64n - 1n;

/** Overwrites weights with payments: a weight is not needed once its payment is decided. */
function decidePayments(
  owners: Owners,
  terms: AllotmentTerms,
  { shares, planned, reasons }: AllotmentColumns,
  from: number,
  to: number,
): void {
  for (let index = from; index < to; index++) {
    const due = owners.owed.get(index) + shares.get(index);
    if (due > MAX_DUE) throw new RangeError(`the amount due to owner ${index} exceeds 64 bits`);
    const reason = reasonFor(owners, terms, index, due, planned.get(index) === 0n);
    reasons[index] = reason;
    planned.set(index, reason === PLANNED ? due : 0n);
  }
}

/** True for eligibilities that earn shares; indexed like `ELIGIBILITIES`. */
const EARNING = ELIGIBILITIES.map(
  (eligibility) => eligibility === 'takes-part' || eligibility === 'program-owned',
);
const EXCLUDED_BY_CREATOR = ELIGIBILITIES.indexOf('excluded-by-creator');
/** Reasons for owners who are never paid, indexed like `ELIGIBILITIES`. */
const REASON_OF_ELIGIBILITY = ELIGIBILITIES.map((eligibility) =>
  eligibility === 'takes-part' || eligibility === 'excluded-by-creator' ? undefined : placeOf(eligibility),
);
const PLANNED = placeOf('planned');
const OF_EXCLUDED_BY_CREATOR = placeOf('excluded-by-creator');
const BELOW_MINIMUM_HOLDING = placeOf('below-minimum-holding');
const BELOW_LEAST_SHARE = placeOf('below-least-share');
const BELOW_MINIMUM_PAYOUT = placeOf('below-minimum-payout');
const NO_ACCOUNT = placeOf('no-account');
const UNDER_RENT_FLOOR = placeOf('under-rent-floor');

function placeOf(reason: Reason): number {
  return REASONS.indexOf(reason);
}

function requireEligibility(eligibilities: Uint8Array, index: number): number {
  const eligibility = eligibilities[index] ?? ELIGIBILITIES.length;
  if (eligibility >= ELIGIBILITIES.length) throw new RangeError(`owner ${index} has an unknown eligibility`);
  return eligibility;
}

/**
 * Index into `REASONS` for an owner's amount. Owners who sold since and excluded owners are still paid their debts, because these
 * were earned before.
 */
function reasonFor(
  { eligibilities, hasAccount }: Owners,
  { minimumPayout, asset }: AllotmentTerms,
  index: number,
  due: bigint,
  isWeightless: boolean,
): number {
  const eligibility = requireEligibility(eligibilities, index);
  if (due === 0n && REASON_OF_ELIGIBILITY[eligibility] === undefined) {
    if (eligibility === EXCLUDED_BY_CREATOR) return OF_EXCLUDED_BY_CREATOR;
    return isWeightless ? BELOW_MINIMUM_HOLDING : BELOW_LEAST_SHARE;
  }
  return reasonOfAmount(eligibility, due, minimumPayout, hasAccount[index] === 1, asset);
}

/** Index into `REASONS` for an amount due to an owner with this eligibility. */
export function reasonOfAmount(
  eligibility: number,
  due: bigint,
  minimumPayout: bigint,
  hasAccount: boolean,
  asset: AllotmentTerms['asset'],
): number {
  const fixed = REASON_OF_ELIGIBILITY[eligibility];
  if (fixed !== undefined) return fixed;
  if (due < minimumPayout) return BELOW_MINIMUM_PAYOUT;
  if (hasAccount) return PLANNED;
  if (asset.kind === 'token') return NO_ACCOUNT;
  return due >= asset.rentFloor ? PLANNED : UNDER_RENT_FLOOR;
}

function* slices(count: number): Generator<readonly [number, number]> {
  for (let from = 0; from < count; from += OWNERS_PER_SLICE)
    yield [from, Math.min(count, from + OWNERS_PER_SLICE)];
}

/** Bound below which the square root of a double is exact for whole numbers, and much faster. */
const EXACT_ROOTS_BELOW = 2n ** 52n;

/** Weight of a holder's balance in a division: the balance itself, or its square root. */
export function weightOf(model: DistributionSettings['distributionModel'], balance: bigint): bigint {
  if (model === 'proportional') return balance;
  return balance < EXACT_ROOTS_BELOW ? BigInt(Math.floor(Math.sqrt(Number(balance)))) : squareRoot(balance);
}

interface Division {
  readonly amount: bigint;
  readonly weights: AmountColumn;
  /** At least the sum of the weights; not 0. */
  readonly sumOfWeights: bigint;
  /** Shares below this are written as 0, and their amount stays undivided. */
  readonly leastShare: bigint;
  readonly shares: AmountColumn;
}

/** Writes the shares for indexes from `from` to before `to`, and returns their sum. */
function divide(division: Division, from: number, to: number): bigint {
  const { amount, weights, sumOfWeights, leastShare, shares } = division;
  let sum = 0n;
  for (let index = from; index < to; index++) {
    const exact = (amount * weights.get(index)) / sumOfWeights;
    const share = exact >= leastShare ? exact : 0n;
    shares.set(index, share);
    sum += share;
  }
  return sum;
}
