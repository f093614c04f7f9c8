// The price that a sale is held against: the median of somewhat more than half an hour of final prices, or none.
import { describe, expect, test } from 'vitest';
import {
  type PriceSample,
  priceReference,
  REFERENCE_WINDOW,
  SAMPLE_PAUSE,
  withSample,
} from '../../../../src/distribution/selling/price-reference.ts';

const NOW = Date.parse('2026-05-04T11:00:00.000Z');
const MINUTE = 60_000;

/** One sample every pause up to now; `priceAt` by the minutes before now. `late`: how many milliseconds each comes late. */
function sampled(minutes: number, priceAt: (minutesAgo: number) => bigint, late = 0): readonly PriceSample[] {
  let samples: readonly PriceSample[] = [];
  for (let at = NOW - minutes * MINUTE; at <= NOW; at += SAMPLE_PAUSE + late)
    samples = withSample(samples, {
      at,
      slot: BigInt(at),
      sqrtPrice: priceAt((NOW - at) / MINUTE),
    });
  return samples;
}

/** Samples of a price that was constant for this many minutes. */
const steady = (minutes: number, late = 0, now = NOW) =>
  priceReference(
    sampled(minutes, () => 7n, late),
    now,
  );

describe('the reference', () => {
  test('is not moved by a dip of less than a quarter of an hour, however long the price was watched, and whenever the dip was', () => {
    for (const watched of [5, 15, 16, 22, 29, 29.75, 30, 31.5, 33, 40])
      for (const dip of [1, 8, 14.75])
        for (const since of [dip, dip + 3, dip + 14, watched])
          for (const late of [0, 400]) {
            const samples = sampled(watched, (ago) => (ago < since && ago > since - dip ? 50n : 100n), late);
            const found = priceReference(samples, NOW)?.sqrtPrice;
            expect([watched, dip, since, late, found ?? 100n]).toEqual([watched, dip, since, late, 100n]);
          }
  });

  test('is a price that has really fallen soon after a quarter of an hour', () => {
    const droppedFor = (minutes: number) => {
      const samples = sampled(40, (ago) => (ago < minutes ? 50n : 100n));
      return priceReference(samples, NOW)?.sqrtPrice;
    };
    expect([droppedFor(15), droppedFor(17)]).toEqual([100n, 50n]);
  });

  test('is unknown where a stretch that was not watched makes a dip outweigh the rest', () => {
    const samples = sampled(40, (ago) => (ago < 11 ? 50n : 100n));
    // Watched from 33 to 25 minutes ago, and again for the last twelve.
    const gap = samples.filter(({ at }) => NOW - at > 25 * MINUTE || NOW - at < 12 * MINUTE);
    expect(priceReference(gap, NOW)).toBeUndefined();
    // A minute that is missing changes nothing.
    const short = samples.filter(({ at }) => Math.abs(NOW - at - 14 * MINUTE) > 30_000);
    expect(priceReference(short, NOW)?.sqrtPrice).toBe(100n);
  });

  test('says how many samples it is of, and of which time', () => {
    expect(steady(40)).toEqual({
      sqrtPrice: 7n,
      samples: REFERENCE_WINDOW / SAMPLE_PAUSE,
      from: NOW - REFERENCE_WINDOW + SAMPLE_PAUSE,
      to: NOW,
    });
  });

  test('is unknown until the price was watched for half an hour', () => {
    expect(priceReference([], NOW)).toBeUndefined();
    expect([steady(29), steady(30)?.samples]).toEqual([undefined, 121]);
    // Samples come a little late, since a round takes its time.
    expect(steady(32, 400)).toBeDefined();
    // A sampler that slept most of the time covers the window with too few.
    const few = sampled(40, () => 7n).filter((_sample, index) => index % 3 === 0);
    expect(few.length).toBeLessThan(60);
    expect(priceReference(few, NOW)).toBeUndefined();
  });

  test('does not count samples of a clock that was put back', () => {
    expect(steady(40, 0, NOW - 26 * MINUTE)).toBeUndefined();
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
