/**
 * The price of a pool that a sale is held against: the median of its final prices over somewhat more than half an hour. It exists
 * only while nobody moves it by moving the price for less than a quarter of an hour. Prices are square roots of lamports per
 * base unit, Q64.64. Pure.
 */

/** Milliseconds. A price that is moved for less than that does not move the reference. */
const DIP = 15 * 60_000;
/** Milliseconds: twice as long, and three minutes for samples that are late or missing. */
export const REFERENCE_WINDOW = 2 * DIP + 3 * 60_000;
/** Milliseconds between two samples. */
export const SAMPLE_PAUSE = 15_000;
/** Fewer come from a sampler that sleeps most of the time. */
export const LEAST_SAMPLES = DIP / SAMPLE_PAUSE;
/** Milliseconds: an older newest sample means that the sampler or finality does not advance. */
const NEWEST_WITHIN = 4 * SAMPLE_PAUSE;

export interface PriceSample {
  /** Milliseconds, from before the read. */
  readonly at: number;
  readonly slot: bigint;
  readonly sqrtPrice: bigint;
}

export interface PriceReference {
  readonly sqrtPrice: bigint;
  readonly samples: number;
  /** Milliseconds: when the oldest and the newest were taken. */
  readonly from: number;
  readonly to: number;
}

/**
 * Adds the sample and drops expired ones. A repeated slot adds nothing, and samples are at least half a pause apart, however
 * often the node is called.
 */
export function withSample(samples: readonly PriceSample[], sample: PriceSample): readonly PriceSample[] {
  const last = samples.at(-1);
  if (last !== undefined && (sample.slot <= last.slot || sample.at - last.at < SAMPLE_PAUSE / 2))
    return samples;
  return [...samples.filter(({ at }) => sample.at - at < REFERENCE_WINDOW), sample];
}

/**
 * Undefined if there are too few samples, none recent, or so many within a quarter of an hour that these alone would move the
 * median.
 */
export function priceReference(samples: readonly PriceSample[], now: number): PriceReference | undefined {
  const counted = samples.filter(({ at }) => at <= now && now - at < REFERENCE_WINDOW);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (counted.length < LEAST_SAMPLES || mostWithin(counted, DIP) > counted.length >> 1) return undefined;
  if (now - last.at > NEWEST_WITHIN) return undefined;
  const prices = counted
    .map(({ sqrtPrice }) => sqrtPrice)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  // For an even number, the higher of the two in the middle: half of the samples alone lower nothing.
  const sqrtPrice = prices[prices.length >> 1];
  return sqrtPrice === undefined
    ? undefined
    : { sqrtPrice, samples: counted.length, from: first.at, to: last.at };
}

/** Maximum number of samples in any window shorter than the given milliseconds. */
function mostWithin(samples: readonly PriceSample[], stretch: number): number {
  let [from, most] = [0, 0];
  for (const [index, { at }] of samples.entries()) {
    while (at - (samples[from]?.at ?? at) >= stretch) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
