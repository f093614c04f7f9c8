/**
 * Reference price of a pool: the median of its finalized prices over 33 minutes. Undefined whenever moving the price for less
 * than 15 minutes could move the median. Prices are square roots of lamports per base unit, Q64.64. Pure.
 */

/** Milliseconds for which a price must have moved before the reference follows it. */
const DIP = 15 * 60_000;
/** Milliseconds of samples: twice as long, plus three minutes for late or missing samples. */
export const REFERENCE_WINDOW = 2 * DIP + 3 * 60_000;
/** Milliseconds between two samples. */
export const SAMPLE_PAUSE = 15_000;
/** Minimum number of samples. A sampler that is paused most of the time collects fewer. */
const MIN_SAMPLES = DIP / SAMPLE_PAUSE;
/** Maximum age of the newest sample, in milliseconds; an older one means that the sampler or finality does not advance. */
const NEWEST_WITHIN = 4 * SAMPLE_PAUSE;

export interface PriceSample {
  /** Time in milliseconds, before the read. */
  readonly at: number;
  readonly slot: bigint;
  readonly sqrtPrice: bigint;
}

export interface PriceReference {
  readonly sqrtPrice: bigint;
  readonly samples: number;
  /** Times of the oldest and the newest sample, in milliseconds. */
  readonly from: number;
  readonly to: number;
}

/**
 * Adds the sample and drops expired ones. A repeated slot adds nothing, and samples are at least half a pause apart, regardless
 * of the frequency of calls.
 */
export function withSample(samples: readonly PriceSample[], sample: PriceSample): readonly PriceSample[] {
  const last = samples.at(-1);
  if (last !== undefined && (sample.slot <= last.slot || sample.at - last.at < SAMPLE_PAUSE / 2))
    return samples;
  return [...samples.filter(({ at }) => sample.at - at < REFERENCE_WINDOW), sample];
}

/**
 * Undefined if there are too few samples, no recent sample, or so many within 15 minutes that those samples alone would decide
 * the median.
 */
export function priceReference(samples: readonly PriceSample[], now: number): PriceReference | undefined {
  const counted = samples.filter(({ at }) => at <= now && now - at < REFERENCE_WINDOW);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (counted.length < MIN_SAMPLES || maxWithin(counted, DIP) > counted.length >> 1) return undefined;
  if (now - last.at > NEWEST_WITHIN) return undefined;
  const prices = counted
    .map(({ sqrtPrice }) => sqrtPrice)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  // For an even number, take the higher of the two middle ones, so that half of the samples alone cannot lower the median.
  const sqrtPrice = prices[prices.length >> 1];
  return sqrtPrice === undefined
    ? undefined
    : { sqrtPrice, samples: counted.length, from: first.at, to: last.at };
}

/** Maximum number of samples in any window shorter than the given milliseconds. */
function maxWithin(samples: readonly PriceSample[], stretch: number): number {
  let [from, most] = [0, 0];
  for (const [index, { at }] of samples.entries()) {
    while (at - (samples[from]?.at ?? at) >= stretch) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
