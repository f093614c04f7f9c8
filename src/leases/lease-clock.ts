/** The two clocks by which leases are counted, and how to wait. No clock is compared with that of another process. */
import { pauseFor } from '../runtime/pause-for.ts';

export interface LeaseClock {
  /** Milliseconds. Never goes back and is never set, but may stand still while the machine is suspended. */
  monotonic(): number;
  /** Milliseconds since 1970. Goes on while the machine is suspended, but may be set, either way. */
  wall(): number;
  /** Resolves after so many milliseconds or later, or as soon as the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemLeaseClock: LeaseClock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  pause: pauseFor,
};

/** A moment of this process, by both clocks. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export function momentOf(clock: LeaseClock): Moment {
  return { monotonic: clock.monotonic(), wall: clock.wall() };
}

/**
 * Milliseconds since then, by whichever clock says more: right for who must stop in time. Who may only begin after some
 * time goes by the monotonic clock alone, since the other one may be set forward.
 */
export function longestSince(moment: Moment, clock: LeaseClock): number {
  return Math.max(clock.monotonic() - moment.monotonic, clock.wall() - moment.wall);
}
