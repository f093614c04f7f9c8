/**
 * Checks the bounds of a recorded sale into a pool with independent arithmetic: its minimum is at least its floor, the floor
 * follows from its reference, and the sales of each half hour stay within their budget.
 */
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { DistributionEvent, DistributionState } from '../../../streams/distribution.ts';
import type { Place } from '../finding.ts';
import type { CheckNotes } from '../report.ts';

const BASIS_POINTS = 10_000n;
const BILLION = 1_000_000_000n;
/** A price window of 30 minutes plus the 3 minutes in which its sale may land, in milliseconds. */
const COUNTED_TOGETHER = 33 * 60_000;
const MIN_SAMPLES = 60n;
/** Milliseconds: half of the window, less the interval between two samples. */
const MIN_COVERED = 15 * 60_000 - 15_000;

type Sold = Extract<DistributionEvent, { type: 'LinksRecorded' }>['data'];

export function auditSale(
  { data }: Pick<Recorded<Extract<DistributionEvent, { type: 'LinksRecorded' }>>, 'data'>,
  before: DistributionState,
  notes: CheckNotes,
  place: Place,
): void {
  const sells = data.links.flatMap(({ number, actions }) =>
    actions.flatMap((action) =>
      action.kind === 'sell' && action.venue === 'meteora' ? [{ number, ...action }] : [],
    ),
  );
  const { sale } = data;
  for (const { number, minimum, amount, market } of sells) {
    notes.checked();
    const at = { ...place, account: market };
    if (sale === undefined || sale.reference === null) {
      notes.add({
        what: 'a sale into a pool has a reference',
        expected: 'a reference',
        found: 'none',
        ...at,
      });
      continue;
    }
    const { from, to, samples } = sale.reference;
    notes.atLeast('the reference of a sale has enough samples', MIN_SAMPLES, BigInt(samples), at);
    const covered = Date.parse(to) - Date.parse(from);
    notes.atLeast('the reference of a sale covers enough time', BigInt(MIN_COVERED), BigInt(covered), at);
    notes.equal('the floor of a sale follows from its reference', floorOf(sale), BigInt(sale.floor), at);
    notes.atLeast('the minimum of a sale is not under its floor', BigInt(sale.floor), BigInt(minimum), at);
    notes.atLeast('the pool receives at most the sold amount', BigInt(sale.received), BigInt(amount), at);
    const moved = movedBefore(before, sale.at, number);
    notes.equal('a sale counts the others of its half hour', moved, BigInt(sale.moved), at);
    // The measured price impact is rounded up, so allow one unit more.
    const most = BigInt(sale.budget) + 1n;
    notes.atLeast(
      'the sales of half an hour stay within their budget',
      moved + BigInt(sale.impact),
      most,
      at,
    );
  }
}

/** Floor by the pool's own arithmetic: its payout at the reference price, less the discount, rounded up. */
function floorOf({ pool, reference, received, maxDiscountBasisPoints }: NonNullable<Sold['sale']>): bigint {
  const root = BigInt(reference?.sqrtPrice ?? '0');
  const liquidity = BigInt(pool.liquidity);
  if (root === 0n || liquidity === 0n) return 0n;
  const after = up(liquidity * root, liquidity + BigInt(received) * root);
  const paid = (liquidity * (root - after)) >> 128n;
  const fair = paid - up(paid * BigInt(pool.tradingFee), BILLION);
  return up(fair * (BASIS_POINTS - BigInt(maxDiscountBasisPoints)), BASIS_POINTS);
}

/** Sums the price impacts within half an hour. At most one sale per till lands, so only its largest impact counts. */
function movedBefore({ impacts }: DistributionState, at: string, without: number): bigint {
  const largest = new Map<number, number>();
  for (const { number, at: recorded, impact } of impacts)
    if (number !== without && Date.parse(at) - Date.parse(recorded) < COUNTED_TOGETHER)
      largest.set(number, Math.max(impact, largest.get(number) ?? 0));
  return [...largest.values()].reduce((sum, impact) => sum + BigInt(impact), 0n);
}

function up(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
