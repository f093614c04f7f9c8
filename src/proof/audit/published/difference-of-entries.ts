/** What is in one of two long lists of entries alone: the events without an entry, and the entries without an event. */
import type { RecordedEvent } from '../../../kernel/ports/event-store.ts';
import { entryOf } from '../../transparency/canonical-record.ts';
import { openKeyBuckets } from '../log/key-buckets.ts';

/** Keys as `textOfKey` gives them. */
export type Unmatched = ReadonlySet<string>;

const [EVENT, ENTRY] = [0, 1] as const;
/** More say nothing more. */
const MOST_REMEMBERED = 100_000;

export async function differenceOf(lists: {
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
        if (count > 0 && events.size < MOST_REMEMBERED) events.add(key);
        if (count < 0 && entries.size < MOST_REMEMBERED) entries.add(key);
      }
    }
    return { events, entries };
  } finally {
    await keys.close();
  }
}
