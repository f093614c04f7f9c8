/** Tells a contender when it may take a lease: at once where nobody counts on it, else when its holder has stopped to. */
import type { LeaseClock } from './lease-clock.ts';
import type { LeaseTail } from './lease-log.ts';

/** Ttls of the holder for which nothing must have been recorded. */
const TAKEOVER = 1.25;

export interface Takeover {
  /** To be asked right after the store told that this is the stream's last event, each time that it does. */
  isDue(tail: LeaseTail | undefined): boolean;
}

/** `holder`: who contends. It does no work meanwhile, so what it holds itself is free too. */
export function createTakeover(holder: string, clock: Pick<LeaseClock, 'monotonic'>): Takeover {
  let seen: { readonly eventId: string; readonly since: number } | undefined;
  return {
    isDue(tail) {
      if (tail === undefined || tail.state.isReleased || tail.state.holder === holder) return true;
      if (seen?.eventId !== tail.eventId) seen = { eventId: tail.eventId, since: clock.monotonic() };
      return clock.monotonic() - seen.since > TAKEOVER * tail.state.ttl;
    },
  };
}
