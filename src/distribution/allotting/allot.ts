/**
 * Decides who gets how much by a run, and why somebody gets nothing. Pure. Columns instead of objects: a run may have a
 * million owners. The work is done in slices, and yields after each, so that whoever drives it can let others run.
 */
import type { DistributionSettings } from '../../streams/distribution-settings.ts';
import {
  type AmountColumn,
  createAmountColumn,
  createSum,
  HALF,
  halvesOf,
  isAtLeast,
  type Sum,
} from '../amounts/amount-column.ts';
import { beginDivision, divide } from '../amounts/shares.ts';
import { weigh } from '../amounts/weights.ts';
import { REASONS, type Reason } from '../ledger/record.ts';

/** Whether an owner takes part. `program-owned` ones earn shares, which are paid once somebody lists them in. */
export const STANDINGS = [
  'takes-part',
  'excluded-by-creator',
  'excluded',
  'pool',
  'program-owned',
  'program',
  'sysvar',
] as const;
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

/** What is decided of each owner. The second column holds the weights until the payments are known. */
export type AllotmentColumns = Pick<Allotted, 'shares' | 'planned' | 'reasons'>;

export function createAllotmentColumns(count: number): AllotmentColumns {
  return {
    shares: createAmountColumn(count),
    planned: createAmountColumn(count),
    reasons: new Uint8Array(count),
  };
}

/**
 * Yields after each slice; returns the result, which is in `columns`. They may have been used before: whoever decides
 * again needs no second ones.
 */
export function* allot(
  owners: Owners,
  terms: AllotmentTerms,
  columns: AllotmentColumns = createAllotmentColumns(owners.count),
): Generator<void, Allotted> {
  const { count } = owners;
  const { shares, planned: weights, reasons } = columns;
  const sumOfWeights = createSum();
  for (const [from, to] of slices(count)) {
    weighOwners(owners, terms, { weights, sumOfWeights }, from, to);
    yield;
  }

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
  } else {
    shares.halves.fill(0);
  }

  const decided = { weights, shares, reasons, sumOfPlanned: createSum() };
  let payments = 0;
  for (const [from, to] of slices(count)) {
    payments += decidePayments(owners, terms, decided, from, to);
    yield;
  }
  return {
    shares,
    planned: weights,
    reasons: decided.reasons,
    sumOfWeights: total,
    sumOfShares,
    sumOfPlanned: decided.sumOfPlanned.total(),
    payments,
    dust: terms.amount - sumOfShares,
  };
}

function weighOwners(
  { bases, standings }: Owners,
  terms: AllotmentTerms,
  { weights, sumOfWeights }: { readonly weights: AmountColumn; readonly sumOfWeights: Sum },
  from: number,
  to: number,
): void {
  const minimumHolding = halvesOf(terms.minimumHolding);
  weigh(terms.model, bases, weights, from, to);
  const { halves } = weights;
  for (let index = from; index < to; index++) {
    const at = 2 * index;
    const earns =
      EARNING[requireStanding(standings, index)] === true &&
      isAtLeast(bases.halves[at] ?? 0, bases.halves[at + 1] ?? 0, minimumHolding);
    if (!earns) {
      halves[at] = 0;
      halves[at + 1] = 0;
    }
    sumOfWeights.add(halves[at] ?? 0, halves[at + 1] ?? 0);
  }
}

/**
 * Writes payments over the weights: an owner's weight is not needed any more when their payment is known. Returns how many
 * are paid.
 */
function decidePayments(
  owners: Owners,
  terms: AllotmentTerms,
  decided: {
    readonly weights: AmountColumn;
    readonly shares: AmountColumn;
    readonly reasons: Uint8Array;
    readonly sumOfPlanned: Sum;
  },
  from: number,
  to: number,
): number {
  const { reasons, sumOfPlanned } = decided;
  const [owed, shares, planned] = [owners.owed.halves, decided.shares.halves, decided.weights.halves];
  const reasonFor = reasonsBy(owners, terms);
  let payments = 0;
  for (let index = from; index < to; index++) {
    const at = 2 * index;
    const sum = (owed[at] ?? 0) + (shares[at] ?? 0);
    const carry = sum < HALF ? 0 : 1;
    const lower = sum - carry * HALF;
    const upper = (owed[at + 1] ?? 0) + (shares[at + 1] ?? 0) + carry;
    if (upper >= HALF) throw new RangeError(`what owner ${index} is owed has more than 64 bits`);
    const isWeightless = planned[at] === 0 && planned[at + 1] === 0;
    const reason = reasonFor(index, lower, upper, isWeightless);
    const isPlanned = reason === PLANNED;
    reasons[index] = reason;
    planned[at] = isPlanned ? lower : 0;
    planned[at + 1] = isPlanned ? upper : 0;
    if (!isPlanned) continue;
    sumOfPlanned.add(lower, upper);
    payments += 1;
  }
  return payments;
}

/** By standing. */
const EARNING = STANDINGS.map((standing) => standing === 'takes-part' || standing === 'program-owned');
const EXCLUDED_BY_CREATOR = STANDINGS.indexOf('excluded-by-creator');
/** By standing: the reason of those who are not paid whatever they are owed. */
const REASON_OF_STANDING = STANDINGS.map((standing) =>
  standing === 'takes-part' || standing === 'excluded-by-creator' ? undefined : placeOf(standing),
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

function requireStanding(standings: Uint8Array, index: number): number {
  const standing = standings[index] ?? STANDINGS.length;
  if (standing >= STANDINGS.length) throw new RangeError(`the standing of owner ${index} is unknown`);
  return standing;
}

/**
 * The place in `REASONS` for what an owner is due, as two halves. A debt is paid to whoever sold since, and to whoever the
 * creator keeps out since: it was earned before.
 */
function reasonsBy(
  { standings, hasAccount }: Owners,
  { minimumPayout, asset }: AllotmentTerms,
): (index: number, lower: number, upper: number, isWeightless: boolean) => number {
  const leastPayout = halvesOf(minimumPayout);
  const rentFloor = asset.kind === 'sol' ? halvesOf(asset.rentFloor) : undefined;
  return (index, lower, upper, isWeightless) => {
    const standing = requireStanding(standings, index);
    const fixed = REASON_OF_STANDING[standing];
    if (fixed !== undefined) return fixed;
    if (lower === 0 && upper === 0) {
      if (standing === EXCLUDED_BY_CREATOR) return OF_EXCLUDED_BY_CREATOR;
      return isWeightless ? BELOW_MINIMUM_HOLDING : BELOW_LEAST_SHARE;
    }
    if (!isAtLeast(lower, upper, leastPayout)) return BELOW_MINIMUM_PAYOUT;
    if (hasAccount[index] === 1) return PLANNED;
    if (rentFloor === undefined) return NO_ACCOUNT;
    return isAtLeast(lower, upper, rentFloor) ? PLANNED : UNDER_RENT_FLOOR;
  };
}

function* slices(count: number): Generator<readonly [number, number]> {
  for (let from = 0; from < count; from += OWNERS_PER_SLICE)
    yield [from, Math.min(count, from + OWNERS_PER_SLICE)];
}
