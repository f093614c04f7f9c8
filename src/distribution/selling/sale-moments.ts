/** When a run looks at its sale: at moments that nobody can foresee, and that are the same after a restart. Pure. */
import { createHmac } from 'node:crypto';
import { millisecondsOf } from '../../streams/distribution-interval.ts';
import type { DistributionSettings } from '../../streams/distribution-settings.ts';

/** The first look comes within a tenth of the interval, at most ten minutes, after the withdrawal, which the chain shows. */
const FIRST_WITHIN = 0.1;
const FIRST_AT_MOST = 10 * 60_000;
/** Milliseconds between two looks. */
const SHORTEST_PAUSE = 20_000;
const LONGEST_PAUSE = 120_000;
/**
 * A run sells until half of the next interval is over, but no longer than this, in milliseconds: its payments wait, and a
 * price that has really fallen is the reference a quarter of an hour later.
 */
const SELLS_UNTIL = 0.5;
const SELLS_AT_MOST = 50 * 60_000;

export interface SellingRun {
  readonly runId: string;
  /** ISO 8601. */
  readonly dueAt: string;
  /** When the collected tax was recorded; ISO 8601. */
  readonly collectedAt: string;
  readonly interval: DistributionSettings['distributionInterval'];
}

export type SaleMoment =
  /** `look` counts from 0. */
  | { readonly kind: 'look'; readonly look: number }
  /** Milliseconds. */
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'over' };

/** `looked`: the last look that was taken; undefined if none is known of. */
export function saleMoment(
  run: SellingRun,
  now: number,
  looked: number | undefined,
  secret: Uint8Array,
): SaleMoment {
  const { runId, dueAt, collectedAt, interval } = run;
  const collected = Date.parse(collectedAt);
  const length = millisecondsOf(interval);
  const first =
    collected + Math.floor(Math.min(length * FIRST_WITHIN, FIRST_AT_MOST) * fraction(runId, 0, secret));
  const ends = Math.max(first, Math.min(Date.parse(dueAt) + length * SELLS_UNTIL, collected + SELLS_AT_MOST));
  if (now < first) return { kind: 'wait', until: first };
  let look = 0;
  let next = first;
  for (;;) {
    next += SHORTEST_PAUSE + Math.floor((LONGEST_PAUSE - SHORTEST_PAUSE) * fraction(runId, look + 1, secret));
    if (next > now || next > ends) break;
    look += 1;
  }
  if (looked === undefined || looked < look) return { kind: 'look', look };
  return now >= ends ? { kind: 'over' } : { kind: 'wait', until: Math.min(next, ends) };
}

/** From 0 to below 1. */
function fraction(runId: string, look: number, secret: Uint8Array): number {
  return createHmac('sha256', secret).update(`sale ${runId} ${look}`).digest().readUInt32LE(0) / 2 ** 32;
}
