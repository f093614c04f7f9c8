/** Grid of a token's distribution times, counted from the token's creation. */
import type { Static } from '@sinclair/typebox';
import type { DistributionInterval } from './value-types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const MILLISECONDS: { readonly [interval in Static<typeof DistributionInterval>]: number } = {
  '5m': 5 * MINUTE,
  '10m': 10 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '6h': 6 * HOUR,
  '12h': 12 * HOUR,
  '24h': 24 * HOUR,
};

export function millisecondsOf(interval: Static<typeof DistributionInterval>): number {
  return MILLISECONDS[interval];
}

/** First grid time after `moment`, in ISO 8601. The token's creation itself is not a grid time. */
export function gridTimeAfter(
  {
    createdAt,
    interval,
  }: { readonly createdAt: string; readonly interval: Static<typeof DistributionInterval> },
  moment: Date,
): string {
  const start = Date.parse(createdAt);
  const step = millisecondsOf(interval);
  const passed = Math.max(0, Math.floor((moment.getTime() - start) / step));
  return new Date(start + (passed + 1) * step).toISOString();
}
