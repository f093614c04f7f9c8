/** The two clocks that leases use, and their pause. Clocks of different processes are never compared. */
import { pauseFor } from '../runtime/pause-for.ts';

export interface LeaseClock {
  /** Milliseconds. Never goes back and cannot be set, but may stop while the machine is suspended. */
  monotonic(): number;
  /** Milliseconds since 1970. Continues while the machine is suspended, but can be set forward or back. */
  wall(): number;
  /** Resolves after the time or later, or as soon as the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemLeaseClock: LeaseClock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  pause: pauseFor,
};

/** A moment in this process, on both clocks. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export function momentOf(clock: LeaseClock): Moment {
  return { monotonic: clock.monotonic(), wall: clock.wall() };
}

/**
 * Milliseconds since the moment, on the clock that shows more: right for a holder, which must stop in time. A contender, which must not
 * start too early, uses the monotonic clock alone, since the other may be set forward.
 */
export function longestSince(moment: Moment, clock: LeaseClock): number {
  return Math.max(clock.monotonic() - moment.monotonic, clock.wall() - moment.wall);
}
