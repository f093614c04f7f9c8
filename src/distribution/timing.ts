/** When a token's runs are due: on a grid that begins with its creation, at a moment that nobody can foresee. Pure. */
import { createHmac } from 'node:crypto';
import { millisecondsOf } from '../streams/distribution-interval.ts';
import type { DistributionSettings } from '../streams/distribution-settings.ts';

/** The scan falls into the last fifth of the interval, so that nobody buys for a minute. */
const SECRET_PART = 0.2;

export interface TokenGrid {
  readonly tokenId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly interval: DistributionSettings['distributionInterval'];
  /** When the last run was due that was opened or skipped; ISO 8601. */
  readonly lastDueAt: string | undefined;
}

export interface DueRun {
  /** The end of the interval that it belongs to; milliseconds. */
  readonly dueAt: number;
  /** From when on it may be opened; milliseconds, within the last fifth of the interval. */
  readonly opensAt: number;
}

/**
 * The latest run that may be opened at `now`, so that missed ones collapse into one; else the next to come. `secret` keeps
 * its moment from being foreseen.
 */
export function dueRun(grid: TokenGrid, now: number, secret: Uint8Array): DueRun {
  const length = millisecondsOf(grid.interval);
  const created = Date.parse(grid.createdAt);
  const lastDue = grid.lastDueAt === undefined ? created : Date.parse(grid.lastDueAt);
  // The interval may have changed since: the next run comes after the last one.
  const first = Math.max(1, Math.floor((lastDue - created) / length) + 1);
  const at = (number: number): DueRun => {
    const dueAt = created + number * length;
    return {
      dueAt,
      opensAt: dueAt - Math.floor(length * SECRET_PART * fraction(grid.tokenId, dueAt, secret)),
    };
  };
  // The interval under way is the only one that may not have opened yet.
  const underWay = Math.floor((now - created) / length) + 1;
  if (underWay <= first) return at(first);
  return at(underWay).opensAt <= now ? at(underWay) : at(underWay - 1);
}

/** From 0 to below 1. */
function fraction(tokenId: string, dueAt: number, secret: Uint8Array): number {
  return createHmac('sha256', secret).update(`${tokenId} ${dueAt}`).digest().readUInt32LE(0) / 2 ** 32;
}
