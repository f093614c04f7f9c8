/** Lets other work go first: the busier the process is by itself, the longer the pauses between two pieces of this one. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How much longer a pause is than the work before it, while the process is busy: less than a tenth is taken from others. */
const PAUSES = 12;
/** The share of its time that a busy process works. */
const BUSY = 0.3;
/** Milliseconds. A process is looked at for so long before it counts as idle. */
const LOOK = 2;
const LONGEST_PAUSE = 500;

export interface Pace {
  /** Resolves when the next piece may be worked on. */
  next(): Promise<void>;
}

export function createPace(): Pace {
  let begun = performance.now();
  return {
    async next() {
      const worked = performance.now() - begun;
      if (worked >= 1) {
        const before = performance.eventLoopUtilization();
        await sleep(LOOK);
        const { utilization } = performance.eventLoopUtilization(before);
        if (utilization > BUSY) await sleep(Math.min(LONGEST_PAUSE, worked * PAUSES));
        begun = performance.now();
      } else await nextTurn();
    },
  };
}

/** For a process that does nothing else. */
export const unpaced: Pace = { next: () => nextTurn() };
