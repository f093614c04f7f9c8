/**
 * Compares the transparency log with the event log: the tiles must match the signed root, and the entries must match the
 * recorded events, each once, in order. Both are read in parallel; from the first difference on, the rest of both is
 * partitioned on disk.
 */
import { NoteInvalid, type Policy, verifyLog } from 'levy-transparency-log';
import { type Position, type RecordedEvent, START } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { entryOf } from '../../transparency/canonical-record.ts';
import { isExcluded } from '../../transparency/excluded-streams.ts';
import { placeOf } from '../finding.ts';
import { openKeyBuckets, textOfKey } from '../log/key-buckets.ts';
import type { CheckNotes } from '../report.ts';
import type { EntryOrigin, PublishedEntries } from './published-entries.ts';

interface PublishedLogAudit {
  readonly log: Pick<LogReader, 'events' | 'stream'>;
  readonly published: PublishedEntries;
  readonly policy: Policy;
}

/** Returns the number of events that are newer than the checkpoint. */
export async function auditPublishedLog(audit: PublishedLogAudit, notes: CheckNotes): Promise<number> {
  const { log, published, policy } = audit;
  let size: number;
  try {
    size = (await verifyLog(published.read, policy)).checkpoint.size;
  } catch (error) {
    if (!(error instanceof NoteInvalid)) throw error;
    notes.add({
      what: 'the tiles of the transparency log have the signed root',
      expected: 'a signed checkpoint, and the tiles that it commits to',
      found: error.message,
    });
    return 0;
  }
  const parted = await compareInOrder(log, published, size, notes);
  if (parted.isEnd) return parted.newer;
  return compareTheRest(audit, size, parted, notes);
}

interface Parted {
  /** True if all entries were matched. */
  readonly isEnd: boolean;
  readonly newer: number;
  /** Number of matched entries. */
  readonly index: number;
  /** Position of the last matched event. */
  readonly position: Position;
}

/** Compares up to the first event that does not match the next entry. */
async function compareInOrder(
  log: Pick<LogReader, 'events'>,
  published: PublishedEntries,
  size: number,
  notes: CheckNotes,
): Promise<Parted> {
  const entries = published.entries(0)[Symbol.asyncIterator]();
  let [index, newer, position]: [number, number, Position] = [0, 0, START];
  for await (const event of events(log)) {
    if (index >= size) {
      newer += 1;
      continue;
    }
    const { value: entry } = await entries.next();
    if (entry === undefined || Buffer.compare(entry, entryOf(event)) !== 0)
      return { isEnd: false, newer, index, position };
    notes.checked();
    index += 1;
    position = event.position;
  }
  return { isEnd: index >= size, newer, index, position };
}

async function* events(
  log: Pick<LogReader, 'events'>,
  after: Position = START,
): AsyncGenerator<RecordedEvent> {
  for await (const event of log.events({ after })) if (!isExcluded(event.stream)) yield event;
}

async function compareTheRest(
  { log, published }: PublishedLogAudit,
  size: number,
  { index: from, position }: Parted,
  notes: CheckNotes,
): Promise<number> {
  const rest = { events: () => events(log, position), entries: () => entriesFrom(published, from) };
  const difference = await differenceOf(rest);
  const gone = await originsOf(rest.entries(), published, difference.entries);
  const newer = await nameEvents(rest.events(), gone, difference.events, notes);
  for (const { index, entry, origin } of gone.values()) await nameEntry(log, index, entry, origin, notes);
  await compareOrder(rest, published, difference, notes);
  notes.checked(size - from);
  return newer;
}

interface Entry {
  readonly index: number;
  readonly entry: Uint8Array;
}

async function* entriesFrom(published: PublishedEntries, from: number): AsyncGenerator<Entry> {
  let index = from;
  for await (const entry of published.entries(from)) {
    yield { index, entry };
    index += 1;
  }
}

interface MissingEntry extends Entry {
  readonly origin: EntryOrigin | undefined;
}

/** Entries without an event in the log, keyed by the event's revision and stream if those are available. */
async function originsOf(
  entries: AsyncIterable<Entry>,
  published: PublishedEntries,
  unmatched: Unmatched,
): Promise<Map<string, MissingEntry>> {
  const gone = new Map<string, MissingEntry>();
  if (unmatched.size === 0) return gone;
  for await (const { index, entry } of entries) {
    if (!unmatched.has(textOfKey(entry))) continue;
    const origin = await published.origin(index);
    gone.set(origin === undefined ? `entry ${index}` : keyOf(origin), {
      index,
      entry: Buffer.from(entry),
      origin,
    });
  }
  return gone;
}

function keyOf({ stream, revision }: Pick<EntryOrigin, 'stream' | 'revision'>): string {
  return `${revision} ${stream}`;
}

/** Removes from `gone` the entries whose events exist but were changed. Returns the number of new events. */
async function nameEvents(
  events: AsyncIterable<RecordedEvent>,
  gone: Map<string, MissingEntry>,
  unmatched: Unmatched,
  notes: CheckNotes,
): Promise<number> {
  if (unmatched.size === 0) return 0;
  /** Events without an entry since the last event with one; at the end of the log, they are new. */
  let last: RecordedEvent[] = [];
  const nameInserted = (event: RecordedEvent) =>
    notes.add({
      what: 'an event is in the transparency log',
      expected: 'an entry of these bytes',
      found: 'no entry, although later events have entries',
      event: placeOf(event),
    });
  for await (const event of events) {
    const entry = entryOf(event);
    if (!unmatched.has(textOfKey(entry))) {
      last.forEach(nameInserted);
      last = [];
      continue;
    }
    const before = gone.get(keyOf(event));
    if (before === undefined) {
      last.push(event);
      continue;
    }
    gone.delete(keyOf(event));
    notes.add({
      what:
        before.origin?.id === event.id
          ? 'an event matches its entry in the transparency log'
          : 'no event replaces another',
      expected: `${before.origin?.id ?? ''} with entry ${before.index}, ${hex(before.entry)}`,
      found: `${event.id}, whose entry would be ${hex(entry)}`,
      event: placeOf(event),
    });
  }
  return last.length;
}

async function nameEntry(
  log: Pick<LogReader, 'stream'>,
  index: number,
  entry: Uint8Array,
  origin: EntryOrigin | undefined,
  notes: CheckNotes,
): Promise<void> {
  const finding = {
    what: 'an event of the transparency log is in the log',
    expected: `entry ${index}, ${hex(entry)}`,
  };
  if (origin === undefined) {
    notes.add({ ...finding, found: 'no event with this entry' });
    return;
  }
  const { id, stream, revision, position } = origin;
  let current: RecordedEvent | undefined;
  for await (const event of log.stream(stream, revision)) {
    current = event.revision === revision ? event : undefined;
    break;
  }
  notes.add({
    ...finding,
    found: current === undefined ? `no event at revision ${revision} of ${stream}` : `event ${current.id}`,
    event: { id, type: current?.type ?? 'unknown', stream, revision, position },
  });
}

/** Events in both logs must have the same order in both. */
async function compareOrder(
  rest: { readonly events: () => AsyncIterable<RecordedEvent>; readonly entries: () => AsyncIterable<Entry> },
  published: PublishedEntries,
  difference: { readonly events: Unmatched; readonly entries: Unmatched },
  notes: CheckNotes,
): Promise<void> {
  const entries = rest.entries()[Symbol.asyncIterator]();
  /** Entries seen in one log only so far. */
  const [early, late] = [new Set<string>(), new Set<string>()];
  for await (const event of rest.events()) {
    const key = textOfKey(entryOf(event));
    if (difference.events.has(key)) continue;
    const next = await nextMatched(entries, difference.entries);
    if (next === undefined) return;
    const expected = textOfKey(next.entry);
    if (key === expected) continue;
    if (early.size === 0) {
      const origin = await published.origin(next.index);
      notes.add({
        what: 'events are in the order in which the notary read them',
        expected: origin === undefined ? `entry ${next.index}` : `event ${origin.id}`,
        found: `event ${event.id}`,
        event: placeOf(event),
      });
    }
    if (!late.delete(key)) early.add(key);
    if (!early.delete(expected)) late.add(expected);
  }
}

async function nextMatched(entries: AsyncIterator<Entry>, unmatched: Unmatched): Promise<Entry | undefined> {
  for (;;) {
    const { value, done } = await entries.next();
    if (done === true) return undefined;
    if (!unmatched.has(textOfKey(value.entry))) return value;
  }
}

function hex(entry: Uint8Array): string {
  return Buffer.from(entry).toString('hex');
}

/** Keys in the encoding of `textOfKey`. */
type Unmatched = ReadonlySet<string>;

const [EVENT, ENTRY] = [0, 1] as const;
/** Maximum number of keys recorded per side; more would not fit in a report. */
const MAX_CACHED = 100_000;

/** Finds the events without an entry and the entries without an event. */
async function differenceOf(lists: {
  readonly events: () => AsyncIterable<RecordedEvent>;
  readonly entries: () => AsyncIterable<{ readonly entry: Uint8Array }>;
}): Promise<{ readonly events: Unmatched; readonly entries: Unmatched }> {
  const keys = openKeyBuckets();
  try {
    for await (const event of lists.events()) await keys.put(EVENT, entryOf(event));
    for await (const { entry } of lists.entries()) await keys.put(ENTRY, entry);
    const [events, entries] = [new Set<string>(), new Set<string>()];
    for await (const bucket of keys.buckets()) {
      const counts = new Map<string, number>();
      for (const { kind, key } of bucket) counts.set(key, (counts.get(key) ?? 0) + (kind === EVENT ? 1 : -1));
      for (const [key, count] of counts) {
        if (count > 0 && events.size < MAX_CACHED) events.add(key);
        if (count < 0 && entries.size < MAX_CACHED) entries.add(key);
      }
    }
    return { events, entries };
  } finally {
    await keys.close();
  }
}
