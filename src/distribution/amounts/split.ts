/**
 * Splits what a run collected: what is burned, what is sold now, what is kept for a later run, and for whom. Base units
 * of the token; every amount is accounted for: collected and kept before = burned, sold and kept.
 */

/** What is collected belongs to the developer or to the holders from the moment that it is split. */
export interface Buckets {
  readonly developer: bigint;
  readonly holders: bigint;
}

export interface SplitSettings {
  readonly burnBasisPoints: number;
  /** With the burned part at most 10,000. */
  readonly developerFeeBasisPoints: number;
  /** The part of each bucket that a run sells. */
  readonly sellBasisPoints: number;
}

/** What a run takes over of the token. */
export interface CarriedTokens {
  readonly kept: Buckets;
  /** Withheld of the engine's own sales, and not collected yet. */
  readonly ownTax: Buckets;
}

export interface Split {
  readonly burned: bigint;
  /** The part of what was collected that is tax of the engine's own sales: it returns to its buckets, and is neither burned nor divided again. */
  readonly returned: Buckets;
  readonly sold: Buckets;
  /** Not sold; added to by the next run, and never burned. */
  readonly kept: Buckets;
}

const BASIS_POINTS = 10_000n;

/** `mostSaleable`: what the venue can take without its price falling too far; undefined where nothing bounds it. */
export function split(
  collected: bigint,
  { kept, ownTax }: CarriedTokens,
  settings: SplitSettings,
  mostSaleable: bigint | undefined,
): Split {
  const returned = bounded(ownTax, collected);
  const fresh = collected - sumOf(returned);
  const burned = partOf(fresh, settings.burnBasisPoints);
  const forDeveloper = partOf(fresh, settings.developerFeeBasisPoints);
  const full: Buckets = {
    developer: kept.developer + returned.developer + forDeveloper,
    holders: kept.holders + returned.holders + fresh - burned - forDeveloper,
  };
  const wanted: Buckets = {
    developer: partOf(full.developer, settings.sellBasisPoints),
    holders: partOf(full.holders, settings.sellBasisPoints),
  };
  const sold = bounded(wanted, mostSaleable);
  return {
    burned,
    returned,
    sold,
    kept: { developer: full.developer - sold.developer, holders: full.holders - sold.holders },
  };
}

export function sumOf({ developer, holders }: Buckets): bigint {
  return developer + holders;
}

/** What a sale brought, in lamports, by whom it is for. */
export interface Proceeds {
  readonly costs: bigint;
  readonly developer: bigint;
  readonly holders: bigint;
}

/**
 * Divides what the sale brought, less the run's costs, as the tokens that were sold. What came without a sale (a donation
 * to the till) is the holders'. `costs` are cut to what there is.
 */
export function divideProceeds(brought: bigint, costs: bigint, sold: Buckets): Proceeds {
  const paidCosts = costs < brought ? costs : brought;
  const rest = brought - paidCosts;
  const all = sumOf(sold);
  const developer = all === 0n ? 0n : (rest * sold.developer) / all;
  return { costs: paidCosts, developer, holders: rest - developer };
}

function partOf(amount: bigint, basisPoints: number): bigint {
  return (amount * BigInt(basisPoints)) / BASIS_POINTS;
}

/** Both buckets in the same proportion. */
function bounded(wanted: Buckets, most: bigint | undefined): Buckets {
  const all = sumOf(wanted);
  if (most === undefined || all <= most) return wanted;
  const developer = (wanted.developer * most) / all;
  return { developer, holders: most - developer };
}
