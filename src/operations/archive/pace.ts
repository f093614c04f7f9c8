/** Lets other work go first: while the process is busy by itself, one piece of this work follows another only after a pause. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** The share of its time that a busy process works. */
const BUSY = 0.3;
/** Milliseconds. A process is watched for so long before it counts as idle. */
const LOOK = 2;
/** Milliseconds. A piece takes one or two, so a twenty-fifth of a busy process's time is taken; reading and sending come on top. */
const PAUSE = 50;

export interface Pace {
  /** Resolves when the next piece may be worked on. */
  next(): Promise<void>;
}

export function createPace(): Pace {
  let begun = performance.now();
  return {
    async next() {
      if (performance.now() - begun < 1) return nextTurn();
      const before = performance.eventLoopUtilization();
      await sleep(LOOK);
      if (performance.eventLoopUtilization(before).utilization > BUSY) await sleep(PAUSE);
      begun = performance.now();
    },
  };
}

/** For a process that does nothing else. */
export const unpaced: Pace = { next: () => nextTurn() };
