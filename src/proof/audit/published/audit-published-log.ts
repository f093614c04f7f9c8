/**
 * Compares the transparency log with the event log: the tiles must match the signed root, and the entries must match the
 * recorded events, one by one. Every changed event is listed. The comparison stops at the first event that was inserted,
 * removed or moved. Without the notary's record, which identifies the event of each entry, it stops at the first difference.
 */
import { NoteInvalid, type Policy, verifyLog } from 'levy-transparency-log';
import type { RecordedEvent } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { entryOf } from '../../transparency/canonical-record.ts';
import { isExcluded } from '../../transparency/excluded-streams.ts';
import { placeOf } from '../finding.ts';
import type { CheckNotes } from '../report.ts';
import type { EntryOrigin, PublishedEntries } from './published-entries.ts';

interface PublishedLogAudit {
  readonly log: Pick<LogReader, 'events'>;
  readonly published: PublishedEntries;
  readonly policy: Policy;
}

/** Returns the number of events that are newer than the checkpoint. */
export async function auditPublishedLog(
  { log, published, policy }: PublishedLogAudit,
  notes: CheckNotes,
): Promise<number> {
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
  const entries = published.entries()[Symbol.asyncIterator]();
  let [index, newer] = [0, 0];
  for await (const event of log.events()) {
    if (isExcluded(event.stream)) continue;
    if (index >= size) {
      newer += 1;
      continue;
    }
    const { value: entry } = await entries.next();
    notes.checked();
    if (entry === undefined || Buffer.compare(entry, entryOf(event)) !== 0) {
      const origin = await published.origin(index);
      reportDifference(event, index, origin, notes);
      if (!isAtSamePlace(origin, event)) return 0;
    }
    index += 1;
  }
  if (index < size) reportEnd(index, size, await published.origin(index), notes);
  return newer;
}

function isAtSamePlace(origin: EntryOrigin | undefined, { stream, revision }: RecordedEvent): boolean {
  return origin?.stream === stream && origin.revision === revision;
}

function reportDifference(
  event: RecordedEvent,
  index: number,
  origin: EntryOrigin | undefined,
  notes: CheckNotes,
): void {
  notes.add({
    what: isAtSamePlace(origin, event)
      ? 'an event matches its entry in the transparency log'
      : 'the events are those of the transparency log, in its order',
    expected: named(index, origin),
    found: `event ${event.id}, revision ${event.revision} of ${event.stream}`,
    event: placeOf(event),
  });
}

function reportEnd(index: number, size: number, origin: EntryOrigin | undefined, notes: CheckNotes): void {
  notes.add({
    what: 'an event of the transparency log is in the log',
    expected: named(index, origin),
    found: `the log ends before the last ${size - index} entries`,
    ...(origin && { event: { ...origin, type: 'unknown' } }),
  });
}

function named(index: number, origin: EntryOrigin | undefined): string {
  return origin === undefined
    ? `entry ${index}`
    : `entry ${index}, of event ${origin.id}, revision ${origin.revision} of ${origin.stream}`;
}
