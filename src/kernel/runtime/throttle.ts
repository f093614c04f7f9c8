/** Caches a probe for a short time and coalesces concurrent callers. */
import type { Clock } from './clock.ts';

/** Failed probes are not cached. */
export function throttled<Found>(
  milliseconds: number,
  clock: Clock,
  probe: () => Promise<Found>,
): () => Promise<Found> {
  let seen: { readonly at: number; readonly found: Found } | undefined;
  let pending: Promise<Found> | undefined;

  async function probeNow(): Promise<Found> {
    const at = clock.now().getTime();
    const found = await probe();
    seen = { at, found };
    return found;
  }

  return () => {
    if (seen !== undefined && clock.now().getTime() - seen.at < milliseconds)
      return Promise.resolve(seen.found);
    pending ??= probeNow().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
