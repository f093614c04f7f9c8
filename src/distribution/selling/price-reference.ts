/**
 * The price of a pool that a sale is held against: the median of its final prices over half an hour, so that nobody moves it
 * by moving the price for less than half of that. Prices are square roots of lamports per base unit, Q64.64. Pure.
 */

/** Milliseconds. */
export const REFERENCE_WINDOW = 30 * 60_000;
/** Milliseconds between two samples. */
export const SAMPLE_PAUSE = 15_000;
/** Half of those that fit into the window; they cover half of it at least. */
export const LEAST_SAMPLES = REFERENCE_WINDOW / SAMPLE_PAUSE / 2;
const LEAST_COVERED = REFERENCE_WINDOW / 2;
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
 * With the new sample, without those that are over. The same slot again tells nothing new; one moment counts once, however
 * often the node is asked: samples are kept at least half a pause apart.
 */
export function withSample(samples: readonly PriceSample[], sample: PriceSample): readonly PriceSample[] {
  const last = samples.at(-1);
  if (last !== undefined && (sample.slot <= last.slot || sample.at - last.at < SAMPLE_PAUSE / 2))
    return samples;
  return [...samples.filter(({ at }) => sample.at - at < REFERENCE_WINDOW), sample];
}

/** Undefined where there are too few samples, or none of now. */
export function priceReference(samples: readonly PriceSample[], now: number): PriceReference | undefined {
  const counted = samples.filter(({ at }) => at <= now && now - at < REFERENCE_WINDOW);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (counted.length < LEAST_SAMPLES || last.at - first.at < LEAST_COVERED - SAMPLE_PAUSE) return undefined;
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
