/** How long work has to pause between its pieces so that others have nearly all of a process's time. */

/** Times as long as the work that is seen. Reading a store and sending are not, so that a tenth is taken in all. */
const PAUSES = 24;
/** Pieces of which the shortest shows what a piece takes by itself, without others' turns of the event loop. */
const RECENT = 8;
/** Milliseconds. However long a piece took, those who wait for the next one are not kept waiting for longer. */
const LONGEST_PAUSE = 250;

export interface Pauses {
  /** Milliseconds that a piece took; others may have worked meanwhile, which counts as a pause. */
  worked(milliseconds: number): void;
  paused(milliseconds: number): void;
  /** Milliseconds of the pause that is due now. */
  due(): number;
}

export function createPauses(): Pauses {
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
