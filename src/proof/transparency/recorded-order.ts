/**
 * Compares a log with the notary's record, event by event: every recorded event is in the log, unchanged and in its order,
 * and nothing stands between them. The record is read page by page. Positions are those of a store: in one that the log was
 * moved to they are others, and the record is corrected on the way.
 */
import { isEqual, TILE_WIDTH } from 'levy-transparency-log';
import type { EventStore, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { entryOf } from './canonical-record.ts';
import type { LogFiles, LogHead } from './log-files.ts';
import type { IndexedEntry } from './log-tree.ts';

/** What is wrong with the log. */
export interface LogChange {
  readonly kind: 'edited' | 'replaced' | 'dropped' | 'inserted' | 'swapped' | 'ended';
  /** The entry that it concerns, from 0. */
  readonly index: number;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  /** A sentence for the operator. */
  readonly message: string;
}

export interface RecordedOrder {
  /** Entries that were found in the log. */
  compared(): number;
  /**
   * Takes the log's events one by one, without those that are left out. `new`: it is not in the record, and all that are
   * must have come before it in its store.
   */
  next(event: RecordedEvent): Promise<'recorded' | 'new' | LogChange>;
  /** At the end of the log: undefined if the whole record was found. */
  missing(): Promise<LogChange | undefined>;
}

/** How far an event that stands elsewhere is looked for in the record, in pages. */
const PAGES_SEARCHED = 4;

interface OrderParts {
  readonly files: Pick<LogFiles, 'page' | 'putIndex'>;
  readonly head: LogHead;
  readonly store: Pick<EventStore, 'read'>;
}

/** The entry at an index of the record; undefined behind its end. */
type LineAt = (index: number) => Promise<IndexedEntry | undefined>;

export function recordedOrder(
  files: OrderParts['files'],
  head: LogHead,
  store: OrderParts['store'],
  /** Is told where the events behind the last full page stand, if that is elsewhere. */
  relocate: (index: number, position: string) => void,
): RecordedOrder {
  const lineAt = lineReader(files, head);
  const pages = createPageCorrection(files, head, relocate);
  let next = 0;
  return {
    compared: () => next,
    async next(event) {
      const line = await lineAt(next);
      if (line === undefined) return 'new';
      if (line.id !== event.id) return changeAt(next, line, event, { head, store, lineAt });
      const found = compare(next, line, event);
      if (found !== 'recorded') return found;
      next += 1;
      await pages.place(next - 1, line, event.position);
      return found;
    },
    async missing() {
      const line = await lineAt(next);
      if (line === undefined) return undefined;
      return change('ended', next, line, `the log ends before it, and the record has ${head.size} entries`);
    },
  };
}

/** Keeps the page that was read last: the record is read in order. */
function lineReader(files: Pick<LogFiles, 'page'>, head: LogHead): LineAt {
  let page: { readonly index: number; readonly entries: readonly IndexedEntry[] } | undefined;
  return async (index) => {
    if (index >= head.size) return undefined;
    const number = Math.floor(index / TILE_WIDTH);
    if (page?.index !== number) page = { index: number, entries: await files.page(number, head) };
    return page.entries[index % TILE_WIDTH];
  };
}

/** Collects the positions of a page's events, and replaces the page if any of them stands elsewhere. */
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

function compare(index: number, line: IndexedEntry, event: RecordedEvent): 'recorded' | LogChange {
  if (line.stream !== event.stream || line.revision !== event.revision)
    return change('replaced', index, line, `the event ${event.id} stands in its place`);
  if (!isEqual(line.entry, entryOf(event)))
    return change('edited', index, line, 'its data, metadata or type are not those that were recorded');
  return 'recorded';
}

interface Searched extends Pick<OrderParts, 'head' | 'store'> {
  readonly lineAt: LineAt;
}

/** What happened where another event stands than the record expects. */
async function changeAt(
  index: number,
  expected: IndexedEntry,
  event: RecordedEvent,
  searched: Searched,
): Promise<LogChange> {
  const { head, store } = searched;
  const isGone = !(await isInLog(store, expected));
  const place = await placeInRecord(index + 1, event, searched);
  if (isGone && place === undefined && (await isLastGone(index, searched)))
    return change(
      'ended',
      index,
      expected,
      `the log goes on without it and without the last of the record's ${head.size} entries`,
    );
  const isItsRevision = expected.stream === event.stream && expected.revision === event.revision;
  if (isItsRevision && place === undefined)
    return change('replaced', index, expected, `the event ${event.id} stands in its place`);
  if (isGone) return change('dropped', index, expected, 'it is no longer in the log');
  return place === undefined
    ? change('inserted', index, event, `it is not in the record, and stands before ${named(expected)}`)
    : change(
        'swapped',
        index,
        event,
        `it is entry ${place} and stands before ${named(expected)}, which is entry ${index}`,
      );
}

/** A log that was put back may have gone on before the notary looks: new events stand where the lost ones were. */
async function isLastGone(index: number, { head, store, lineAt }: Searched): Promise<boolean> {
  const last = index + 1 < head.size ? await lineAt(head.size - 1) : undefined;
  return last !== undefined && !(await isInLog(store, last));
}

async function placeInRecord(
  from: number,
  { id }: RecordedEvent,
  { head, lineAt }: Searched,
): Promise<number | undefined> {
  for (let index = from; index < Math.min(head.size, from + PAGES_SEARCHED * TILE_WIDTH); index++)
    if ((await lineAt(index))?.id === id) return index;
  return undefined;
}

async function isInLog(
  store: Pick<EventStore, 'read'>,
  { id, stream, revision }: IndexedEntry,
): Promise<boolean> {
  for await (const event of store.read(stream, revision))
    return event.revision === revision && event.id === id;
  return false;
}

const SENTENCES: { readonly [kind in LogChange['kind']]: string } = {
  edited: 'An event of the log was changed',
  replaced: 'An event of the log was replaced',
  dropped: 'An event is missing in the log',
  inserted: 'An event was inserted into the log',
  swapped: 'Events of the log stand in another order',
  ended: 'The log was put back to an older state',
};

function change(
  kind: LogChange['kind'],
  index: number,
  event: Pick<RecordedEvent, 'id' | 'stream' | 'revision'>,
  detail: string,
): LogChange {
  const { id: eventId, stream, revision } = event;
  const message = `${SENTENCES[kind]}: entry ${index}, ${named(event)}: ${detail}.`;
  return { kind, index, eventId, stream, revision, message };
}

function named({ id, stream, revision }: Pick<RecordedEvent, 'id' | 'stream' | 'revision'>): string {
  return `the event ${id} (revision ${revision} of ${stream})`;
}
