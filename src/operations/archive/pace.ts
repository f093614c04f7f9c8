/** Lets other work go first: while the process is busy by itself, one piece of this work follows another only after a pause. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** The share of its time that a busy process works. */
const BUSY = 0.3;
/** Milliseconds. A process is watched for so long before it counts as idle. */
const LOOK = 2;

/** Times as long as the work that is seen. Reading a store and sending are not, so that a tenth is taken in all. */
const PAUSES = 24;
/** Pieces of which the shortest shows what a piece takes by itself, without others' turns of the event loop. */
const RECENT = 8;
/** Milliseconds. However long a piece took, those who wait for the next one are not kept waiting for longer. */
const LONGEST_PAUSE = 250;

export interface Pace {
  /** Resolves when the next piece may be worked on. */
  next(): Promise<void>;
}

export function createPace(): Pace {
  const pauses = createOwedPauses();
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

/** How long work has to pause between its pieces so that others have nearly all of a process's time. */
export function createOwedPauses(): {
  /** Milliseconds that a piece took; others may have worked meanwhile, which counts as a pause. */
  worked(milliseconds: number): void;
  paused(milliseconds: number): void;
  /** Milliseconds of the pause that is due now. */
  due(): number;
} {
  const recent: number[] = [];
  let owed = 0;
  return {
    worked(milliseconds) {
      recent.push(milliseconds);
      if (recent.length > RECENT) recent.shift();
      const own = Math.min(...recent);
      owed = Math.min(LONGEST_PAUSE, Math.max(0, owed + own * PAUSES - (milliseconds - own)));
    },
    paused(milliseconds) {
      owed = Math.max(0, owed - milliseconds);
    },
    due: () => owed,
  };
}
