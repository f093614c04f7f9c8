/** Reads a log for replay, audit and backups, from its store or from a running service. */
import type { LogExtent, Position, RecordedEvent } from './event-store.ts';

export interface LogReader {
  /**
   * Every event after a position (`START` when absent), each once, in the order of positions, up to the end of the log as
   * it was when the iteration began. Leaving the loop releases what it used.
   */
  events(options?: {
    readonly after?: Position;
    /** Only streams of these categories; all when absent. */
    readonly categories?: readonly string[];
  }): AsyncIterable<RecordedEvent>;
  /** The events of a stream from a revision on (0 when absent), in order; none if there is no such stream. */
  stream(name: string, from?: number): AsyncIterable<RecordedEvent>;
  /** The position of the last event; `START` when the log is empty. */
  head(): Promise<Position>;
  /** Grows with the position, for showing progress only. */
  extentOf(position: Position): LogExtent;
  /** Nothing can be recorded while it is open. */
  readonly standsStill?: true;
  close(): Promise<void>;
}
