/** Tells a contender when it may take a lease: at once if nobody relies on it, else when its holder has stopped relying on it. */

import type { LeaseState } from './lease.ts';
import type { LeaseClock } from './lease-clock.ts';

/** How many of the holder's ttls must pass without a new event. */
const TAKEOVER = 1.25;

/** The last event of a lease's stream. */
export interface LeaseTail {
  /** Undefined if all events that are left are quarantined. */
  readonly state: LeaseState;
  readonly revision: number;
  readonly eventId: string;
}

export interface Takeover {
  /** Call it after each read of the stream, with the last event. */
  isDue(tail: LeaseTail | undefined): boolean;
}

/** `holder` is the contender. It does no work meanwhile, so a lease of its own is free too. */
export function createTakeover(holder: string, clock: Pick<LeaseClock, 'monotonic'>): Takeover {
  let seen: { readonly eventId: string; readonly since: number } | undefined;
  return {
    isDue(tail) {
      if (tail?.state === undefined || tail.state.isReleased || tail.state.holder === holder) return true;
      if (seen?.eventId !== tail.eventId) seen = { eventId: tail.eventId, since: clock.monotonic() };
      return clock.monotonic() - seen.since > TAKEOVER * tail.state.ttl;
    },
  };
}
