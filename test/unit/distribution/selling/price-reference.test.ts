// The price that a sale is held against: the median of half an hour of final prices, or none.
import { describe, expect, test } from 'vitest';
import {
  LEAST_SAMPLES,
  type PriceSample,
  priceReference,
  REFERENCE_WINDOW,
  SAMPLE_PAUSE,
  withSample,
} from '../../../../src/distribution/selling/price-reference.ts';

const NOW = Date.parse('2026-05-04T11:00:00.000Z');
const MINUTE = 60_000;

/** One sample every pause up to now; `priceAt` by the minutes before now. */
function sampled(minutes: number, priceAt: (minutesAgo: number) => bigint): readonly PriceSample[] {
  let samples: readonly PriceSample[] = [];
  for (let at = NOW - minutes * MINUTE; at <= NOW; at += SAMPLE_PAUSE)
    samples = withSample(samples, {
      at,
      slot: BigInt(at),
      sqrtPrice: priceAt((NOW - at) / MINUTE),
    });
  return samples;
}

describe('the reference', () => {
  test.each([
    ['1 minute', 1],
    ['5 minutes', 5],
    ['14 minutes', 14],
  ])('is not moved by a price that is down for %s', (_name, minutes) => {
    const samples = sampled(40, (ago) => (ago < minutes ? 50n : 100n));
    expect(priceReference(samples, NOW)?.sqrtPrice).toBe(100n);
  });

  test('is not moved by a price that is down for half of the window, and is that price soon after', () => {
    expect(
      priceReference(
        sampled(40, (ago) => (ago < 15 ? 50n : 100n)),
        NOW,
      )?.sqrtPrice,
    ).toBe(100n);
    expect(
      priceReference(
        sampled(40, (ago) => (ago < 15.6 ? 50n : 100n)),
        NOW,
      )?.sqrtPrice,
    ).toBe(50n);
  });

  test('says how many samples it is of, and of which time', () => {
    expect(
      priceReference(
        sampled(40, () => 7n),
        NOW,
      ),
    ).toEqual({
      sqrtPrice: 7n,
      samples: REFERENCE_WINDOW / SAMPLE_PAUSE,
      from: NOW - REFERENCE_WINDOW + SAMPLE_PAUSE,
      to: NOW,
    });
  });

  test('is unknown until half of the window is sampled', () => {
    expect(priceReference([], NOW)).toBeUndefined();
    expect(
      priceReference(
        sampled(14, () => 7n),
        NOW,
      ),
    ).toBeUndefined();
    expect(
      priceReference(
        sampled(15, () => 7n),
        NOW,
      )?.samples,
    ).toBeGreaterThanOrEqual(LEAST_SAMPLES);
    // A sampler that slept most of the time covers the window with too few.
    const few = sampled(40, () => 7n).filter((_sample, index) => index % 3 === 0);
    expect(priceReference(few, NOW)).toBeUndefined();
  });

  test('is unknown while the sampler stands still', () => {
    const samples = sampled(40, () => 7n);
    expect(priceReference(samples, NOW + 4 * SAMPLE_PAUSE)).toBeDefined();
    expect(priceReference(samples, NOW + 4 * SAMPLE_PAUSE + 1)).toBeUndefined();
  });

  test('does not count samples of a clock that was put back', () => {
    expect(
      priceReference(
        sampled(40, () => 7n),
        NOW - 26 * MINUTE,
      ),
    ).toBeUndefined();
  });
});

describe('a sample', () => {
  const first = { at: NOW, slot: 10n, sqrtPrice: 1n };

  test('of a slot that was seen already tells nothing new', () => {
    const once = withSample([], first);
    for (const slot of [9n, 10n])
      expect(withSample(once, { at: NOW + MINUTE, slot, sqrtPrice: 2n })).toBe(once);
  });

  test('counts once, however often the node is asked', () => {
    const once = withSample([], first);
    expect(withSample(once, { at: NOW + 100, slot: 11n, sqrtPrice: 2n })).toBe(once);
  });

  test('is forgotten when the window is over', () => {
    const later = { at: NOW + REFERENCE_WINDOW, slot: 11n, sqrtPrice: 2n };
    expect(withSample([first], later)).toEqual([later]);
  });
});
