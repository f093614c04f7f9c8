/**
 * Compares a log with the notary's record, event by event: every recorded event must be in the log, unchanged, in order, and
 * without gaps. Reads the record page by page. Positions depend on the store, so after a move to another store the
 * comparison corrects the recorded positions.
 */
import { isEqual, TILE_WIDTH } from 'levy-transparency-log';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { entryOf } from './canonical-record.ts';
import type { LogFiles, LogHead } from './log-files.ts';
import type { IndexedEntry } from './log-tree.ts';

/** First entry of the record that the log does not have at that index. */
export interface LogChange {
  /** Index of the entry; starts at 0. */
  readonly index: number;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  /** Explanation for the operator, in a sentence. */
  readonly message: string;
}

export type RecordedOrder = ReturnType<typeof recordedOrder>;

/** Entry at an index of the record; undefined after its end. */
type LineAt = (index: number) => Promise<IndexedEntry | undefined>;

export function recordedOrder(
  files: Pick<LogFiles, 'page' | 'putIndex'>,
  head: LogHead,
  /** Called with events after the last full page whose position differs from the record. */
  relocate: (index: number, position: string) => void,
) {
  const lineAt = lineReader(files, head);
  const pages = createPageCorrection(files, head, relocate);
  let next = 0;
  return {
    /** Number of entries found in the log. */
    compared: () => next,
    /** Compares the next event of the log, skipping excluded streams. `new`: the event is after the end of the record. */
    async next(event: RecordedEvent): Promise<'recorded' | 'new' | LogChange> {
      const line = await lineAt(next);
      if (line === undefined) return 'new';
      const difference = differenceOf(line, event);
      if (difference !== undefined) return change(next, line, difference);
      next += 1;
      await pages.place(next - 1, line, event.position);
      return 'recorded';
    },
    /** Call at the end of the log: undefined if the whole record was found. */
    async missing(): Promise<LogChange | undefined> {
      const line = await lineAt(next);
      if (line === undefined) return undefined;
      return change(
        next,
        line,
        `the transparency log has ${named(line)} and ${head.size} entries, but the event log ends earlier`,
      );
    },
  };
}

/** Caches the last page, since the record is read in order. */
function lineReader(files: Pick<LogFiles, 'page'>, head: LogHead): LineAt {
  let page: { readonly index: number; readonly entries: readonly IndexedEntry[] } | undefined;
  return async (index) => {
    if (index >= head.size) return undefined;
    const number = Math.floor(index / TILE_WIDTH);
    if (page?.index !== number) page = { index: number, entries: await files.page(number, head) };
    return page.entries[index % TILE_WIDTH];
  };
}

/** Collects the positions of a page's events, and replaces the page if any of them changed. */
function createPageCorrection(
  files: Pick<LogFiles, 'putIndex'>,
  { size }: LogHead,
  relocate: (index: number, position: string) => void,
) {
  const full = size - (size % TILE_WIDTH);
  let moved: IndexedEntry[] = [];
  let isMoved = false;
  return {
    async place(index: number, line: IndexedEntry, position: string): Promise<void> {
      if (line.position !== position) isMoved = true;
      if (index >= full) {
        if (line.position !== position) relocate(index, position);
        return;
      }
      moved.push({ ...line, position });
      if ((index + 1) % TILE_WIDTH !== 0) return;
      if (isMoved) await files.putIndex(Math.floor(index / TILE_WIDTH), moved);
      moved = [];
      isMoved = false;
    },
  };
}

function differenceOf(line: IndexedEntry, event: RecordedEvent): string | undefined {
  if (line.id !== event.id || line.stream !== event.stream || line.revision !== event.revision)
    return `the transparency log has ${named(line)}, but the event log has ${named(event)}`;
  if (!isEqual(line.entry, entryOf(event)))
    return `the data, metadata or type of ${named(event)} was changed after its publication`;
  return undefined;
}

function change(index: number, { id, stream, revision }: IndexedEntry, difference: string): LogChange {
  return { index, eventId: id, stream, revision, message: `Entry ${index} differs: ${difference}.` };
}

function named({ id, stream, revision }: Pick<RecordedEvent, 'id' | 'stream' | 'revision'>): string {
  return `event ${id} (revision ${revision} of ${stream})`;
}
