/** Writes a log as another store recorded it, event by event, into a store that nobody else uses meanwhile. */
import type { RecordedEvent } from './event-store.ts';

export interface LogWriter {
  /**
   * The next events, in the order of the log; all earlier ones were added before, by this writer or one before it.
   * Durable once it resolves: after a kill, what was added is a beginning of the log. Rejects with `OperatorError` where
   * the events cannot follow what is there.
   */
  add(events: readonly RecordedEvent[]): Promise<void>;
  /** Waits for what is under way, and makes the log one that a service may open. */
  finish(): Promise<void>;
}
