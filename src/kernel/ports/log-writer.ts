/** Writes a log as another store recorded it, event by event, into a store that nobody else uses meanwhile. */
import type { RecordedEvent } from './event-store.ts';

export interface LogWriter {
  /**
   * The next events, in the order of the log; all earlier ones were added before, by this writer or one before it.
   * Durable once it resolves: after a kill, what was added is a beginning of the log. Rejects with `OperatorError` where
   * the events cannot follow what is there.
   */
  add(events: readonly RecordedEvent[]): Promise<void>;
  /** Resolves when everything that was added is there. */
  settle(): Promise<void>;
  /** The log is whole: from now on a service may open it. */
  finish(): Promise<void>;
}

export interface WritableLog {
  /** Up to the end that the log has when the iteration begins. */
  readonly events: () => AsyncIterable<RecordedEvent>;
  readonly writer: LogWriter;
  close(): Promise<void>;
}

/** How a copy assigns its positions. */
export interface CopiedPositions {
  /** Positions are those of the source, which counts them by events; no event is left out. Only for a new log. */
  readonly areKept: boolean;
  /** The position before the source's first, where it counts them by events (0). */
  readonly sourceBeginsAfter?: number;
  /** The last position of the source, as a number: where they are not kept, no position of the copy is one of the source. */
  readonly sourceHead: number;
}
