/**
 * The tax of the engine's own sales, from one run to the next: what was outstanding comes back to its buckets as soon as so
 * much is collected, and what a run's sale was taxed is outstanding after it.
 */
import type {
  CarriedOver,
  DistributionEvent,
  DistributionState,
  OpenedRun,
} from '../../../streams/distribution.ts';
import type { Place } from '../finding.ts';
import type { CheckNotes } from '../report.ts';

const BASIS_POINTS = 10_000n;
const BUCKETS = ['developer', 'holders'] as const;

interface TokensByBucket {
  readonly developer: bigint;
  readonly holders: bigint;
}

const NO_TOKENS: TokensByBucket = { developer: 0n, holders: 0n };

/** Gives what came back to each bucket. */
export function auditOwnTax(
  { asset, amounts, carried }: Extract<DistributionEvent, { type: 'RunClosed' }>['data'],
  { open, state }: { readonly open: OpenedRun; readonly state: DistributionState },
  notes: CheckNotes,
  place: Place,
): TokensByBucket {
  const { ownTax } = amounts;
  const outstanding = bucketsOf(state.carried.ownTax);
  const [before, returned, after, handedOn] = [
    ownTax.before,
    ownTax.returned,
    ownTax.after,
    carried.ownTax,
  ].map(bucketsOf) as [TokensByBucket, TokensByBucket, TokensByBucket, TokensByBucket];
  const sold = asset === 'sol' ? bucketsOf(amounts.sold) : NO_TOKENS;

  const [all, collected] = [sumOf(outstanding), BigInt(amounts.collected)];
  const ofDeveloper = all <= collected ? outstanding.developer : (outstanding.developer * collected) / all;
  const back = { developer: ofDeveloper, holders: (all < collected ? all : collected) - ofDeveloper };

  const tax = sumOf(after) + sumOf(returned) - sumOf(before);
  const rates = [taxOf(open.tax.older, sumOf(sold)), taxOf(open.tax.newer, sumOf(sold))];
  if (!rates.includes(tax))
    notes.add({
      what: "the tax of a run's sale is that of its rates",
      expected: [...new Set(rates)].join(' or '),
      found: `${tax}`,
      ...place,
    });
  const ofDevelopers = sumOf(sold) === 0n ? 0n : (tax * sold.developer) / sumOf(sold);
  const added = { developer: ofDevelopers, holders: tax - ofDevelopers };

  for (const bucket of BUCKETS) {
    notes.equal(
      `a run takes over the tax of earlier sales: ${bucket}`,
      outstanding[bucket],
      before[bucket],
      place,
    );
    notes.equal(`the tax of earlier sales comes back: ${bucket}`, back[bucket], returned[bucket], place);
    notes.equal(
      `the tax of a sale stays in the buckets that were sold: ${bucket}`,
      before[bucket] - returned[bucket] + added[bucket],
      after[bucket],
      place,
    );
    notes.equal(`a run hands on the tax of its sales: ${bucket}`, after[bucket], handedOn[bucket], place);
  }
  return returned;
}

function bucketsOf(parts: CarriedOver['kept']): TokensByBucket {
  return { developer: BigInt(parts.developer), holders: BigInt(parts.holders) };
}

function sumOf({ developer, holders }: TokensByBucket): bigint {
  return developer + holders;
}

/** Rounded up, as the chain does. */
function taxOf({ basisPoints, maximumFee }: OpenedRun['tax']['older'], amount: bigint): bigint {
  const tax = (amount * BigInt(basisPoints) + BASIS_POINTS - 1n) / BASIS_POINTS;
  return tax < BigInt(maximumFee) ? tax : BigInt(maximumFee);
}
