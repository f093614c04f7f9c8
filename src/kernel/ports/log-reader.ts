/** Reads a log for replay, audit and backups, from its store or from a running service. */
import type { LogExtent, Position, RecordedEvent } from './event-store.ts';

export interface LogReader {
  /**
   * Yields every event after a position (default `START`) once, in the order of positions, up to the end of the log at the
   * start of the iteration. Leaving the loop releases its resources.
   */
  events(options?: {
    readonly after?: Position;
    /** Only streams of these categories; default all. */
    readonly categories?: readonly string[];
  }): AsyncIterable<RecordedEvent>;
  /** Events of a stream from a revision on (default 0), in order; none if the stream does not exist. */
  stream(name: string, from?: number): AsyncIterable<RecordedEvent>;
  /** Position of the last event; `START` for an empty log. */
  head(): Promise<Position>;
  /** Increases with the position; for progress reports only. */
  extentOf(position: Position): LogExtent;
  /** True if no event can be recorded while the reader is open. */
  readonly isImmutable?: true;
  close(): Promise<void>;
}
