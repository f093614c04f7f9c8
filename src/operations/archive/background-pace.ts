/** Throttles background work: while the process is busy with other work, each piece is followed by a pause. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Event loop utilization above which the process counts as busy. */
const BUSY = 0.3;
/** Milliseconds over which the utilization is measured. */
const CHECK_EVERY = 2;
/**
 * Milliseconds between pieces in a busy process. A piece takes one or two, so the work takes about 4 % of the time,
 * plus reading and sending.
 */
const PAUSE = 50;

export interface Pace {
  /** Resolves when the next piece may start. */
  next(): Promise<void>;
}

export function createPace(): Pace {
  let begun = performance.now();
  return {
    async next() {
      if (performance.now() - begun < 1) return nextTurn();
      const before = performance.eventLoopUtilization();
      await sleep(CHECK_EVERY);
      if (performance.eventLoopUtilization(before).utilization > BUSY) await sleep(PAUSE);
      begun = performance.now();
    },
  };
}

/** Pace without pauses, in a process without other work. */
export const unpaced: Pace = { next: () => nextTurn() };
