/** How far a read model is that is being filled, and how long it will still take at the pace of the last seconds. */
import type { LogExtent } from '../ports/event-store.ts';

export interface RebuildProgress {
  /** What `done` and `of` count: `bytes` where the store does not count events. */
  readonly unit: LogExtent['unit'];
  readonly done: number;
  readonly of: number;
  readonly percent: number;
  /** In `unit`; undefined until it has been measured. */
  readonly perSecond: number | undefined;
  readonly secondsLeft: number | undefined;
}

export interface Pace {
  /** `at` in milliseconds, by a clock that never goes back. */
  reached(amount: number, at: number): void;
  /** Undefined until it has been measured. */
  perSecond(): number | undefined;
}

interface Sample {
  readonly amount: number;
  readonly at: number;
}

/** Milliseconds. */
const SAMPLE_EVERY = 500;
const SAMPLES = 20;
const SHORTEST_MEASURE = 250;

/** The pace of the last ten seconds or so. */
export function createPace(): Pace {
  const samples: Sample[] = [];
  let last: Sample | undefined;
  return {
    reached(amount, at) {
      last = { amount, at };
      if (at - (samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < SAMPLE_EVERY) return;
      samples.push(last);
      if (samples.length > SAMPLES) samples.shift();
    },
    perSecond() {
      const [first] = samples;
      if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MEASURE)
        return undefined;
      return Math.round(((last.amount - first.amount) / (last.at - first.at)) * 1_000);
    },
  };
}

export function progressOf(position: LogExtent, head: LogExtent, pace: number | undefined): RebuildProgress {
  const done = Math.min(position.amount, head.amount);
  const left = head.amount - done;
  return {
    unit: head.unit,
    done,
    of: head.amount,
    // Rounded down: 100 means that nothing is left.
    percent: head.amount === 0 ? 100 : Math.floor((done / head.amount) * 1_000) / 10,
    perSecond: pace,
    secondsLeft: left === 0 ? 0 : pace === undefined || pace <= 0 ? undefined : Math.ceil(left / pace),
  };
}
