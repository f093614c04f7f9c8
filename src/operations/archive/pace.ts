/** Lets other work go first: while the process is busy by itself, one piece of this work follows another only after a pause. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createPauses } from './pauses.ts';

/** The share of its time that a busy process works. */
const BUSY = 0.3;
/** Milliseconds. A process is looked at for so long before it counts as idle. */
const LOOK = 2;

export interface Pace {
  /** Resolves when the next piece may be worked on. */
  next(): Promise<void>;
}

export function createPace(): Pace {
  const pauses = createPauses();
  let begun = performance.now();
  return {
    async next() {
      const ended = performance.now();
      if (ended - begun < 1) return nextTurn();
      pauses.worked(ended - begun);
      const before = performance.eventLoopUtilization();
      await sleep(LOOK);
      const { utilization } = performance.eventLoopUtilization(before);
      pauses.paused(performance.now() - ended);
      if (utilization > BUSY && pauses.due() > 0) {
        const asleep = performance.now();
        await sleep(pauses.due());
        pauses.paused(performance.now() - asleep);
      }
      begun = performance.now();
    },
  };
}

/** For a process that does nothing else. */
export const unpaced: Pace = { next: () => nextTurn() };
