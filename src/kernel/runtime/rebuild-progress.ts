/** Progress of a build of a read model, and how long it will still take at its pace so far. */
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

/** Milliseconds. */
const SHORTEST_MEASURE = 250;

/** The average since the build began, or was continued, in this process. */
export function createPace(): Pace {
  let first: { readonly amount: number; readonly at: number } | undefined;
  let last = { amount: 0, at: 0 };
  return {
    reached(amount, at) {
      last = { amount, at };
      first ??= last;
    },
    perSecond() {
      if (first === undefined || last.at - first.at < SHORTEST_MEASURE) return undefined;
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
