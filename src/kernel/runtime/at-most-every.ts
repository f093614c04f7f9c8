/** Shares the result of a look among all who ask within some time, and a look under way among all who ask meanwhile. */
import type { Clock } from './clock.ts';

/** A failed look is not kept: the next one who asks looks again. */
export function atMostEvery<Found>(
  milliseconds: number,
  clock: Clock,
  look: () => Promise<Found>,
): () => Promise<Found> {
  let seen: { readonly at: number; readonly found: Found } | undefined;
  let underWay: Promise<Found> | undefined;

  async function lookNow(): Promise<Found> {
    const at = clock.now().getTime();
    const found = await look();
    seen = { at, found };
    return found;
  }

  return () => {
    if (seen !== undefined && clock.now().getTime() - seen.at < milliseconds)
      return Promise.resolve(seen.found);
    underWay ??= lookNow().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
