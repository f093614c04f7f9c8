/**
 * Appends the log of a backup to an empty store: the same events with the same ids, in the same order. What the store already
 * has must be a beginning of the log, as an interrupted restore leaves it. Streams that are cut as they grow are left out; of
 * the notary's claims the store gets the last in a stream of its own.
 */
import pMap from 'p-map';
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { EventStore, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import { lease } from '../../kernel/runtime/lease.ts';
import { readLog } from '../../kernel/runtime/read-log.ts';
import { snapshot } from '../../kernel/runtime/snapshots.ts';
import { checkpoint } from '../../streams/checkpoint.ts';

/** Well below the 1 MiB that an append may have. */
const APPEND_BYTES = 512 * 1024;
const APPEND_EVENTS = 500;
/** Appends under way at once. Servers handle those of one connection in order; both logs are compared afterwards. */
const AT_ONCE = 128;

/** Leases are those of processes that use the other store; snapshots are made anew. */
const NOT_RESTORED: ReadonlySet<string> = new Set([lease.category, snapshot.category]);

export function isRestored({ stream }: { readonly stream: string }): boolean {
  return !NOT_RESTORED.has(categoryOf(stream));
}

/** The notary needs the last claim alone. */
function isClaim({ stream }: { readonly stream: string }): boolean {
  return categoryOf(stream) === checkpoint.category;
}

type Source = Pick<LogReader, 'events'>;

/** Resolves when both logs were compared. `there` is what `countEqual` found. */
export async function appendLog(
  source: Source,
  store: EventStore,
  { there = 0, progress }: { readonly there?: number | undefined; progress(events: number): void },
): Promise<void> {
  const claims = new Map<string, RecordedEvent>();
  let count = 0;
  async function* missing(): AsyncGenerator<RecordedEvent, void> {
    for await (const event of source.events()) {
      if (isClaim(event)) claims.set(event.stream, event);
      else if (isRestored(event)) {
        count += 1;
        if (count > there) yield event;
        progress(count);
      }
    }
  }
  await pMap(batchesOf(missing()), (batch) => append(store, batch), { concurrency: AT_ONCE });
  const found = await countEqual(source, store);
  if (found !== count)
    throw new OperatorError(`the store has ${found} events, and the backup ${count}: run it again`);
  for (const claim of claims.values()) await append(store, [{ ...claim, revision: 0 }]);
}

/** The length of the store's log. Rejects with `OperatorError` unless it is a beginning of the source. */
export async function countEqual(source: Source, store: EventStore): Promise<number> {
  const expected = appended(source.events());
  let count = 0;
  try {
    for await (const event of appended(readLog(store))) {
      const { value } = await expected.next();
      if (value === undefined)
        throw new OperatorError(
          `the store has more events than the ${count} of the backup: a service has used it. Nothing of it was changed; name an empty one`,
        );
      if (contentOf(value) !== contentOf(event)) throw otherEvent(value, event, count);
      count += 1;
    }
  } finally {
    await expected.return(undefined);
  }
  return count;
}

async function* appended(events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent, undefined> {
  for await (const event of events) if (isRestored(event) && !isClaim(event)) yield event;
  return undefined;
}

/** Everything but the position, which belongs to a store. */
function contentOf({ id, stream, revision, type, data, metadata }: RecordedEvent): string {
  return JSON.stringify([id, stream, revision, type, data, metadata]);
}

function otherEvent(expected: RecordedEvent, found: RecordedEvent, count: number): OperatorError {
  const placeOf = ({ id, stream, revision }: RecordedEvent) => `${id} (${stream}, revision ${revision})`;
  return new OperatorError(
    `the store holds another log than the backup: after ${count} equal events, it has the event ${placeOf(found)}, and the backup ${placeOf(expected)}. Name an empty one, or another EVENT_STORE_PREFIX`,
  );
}

type Batch = readonly [RecordedEvent, ...RecordedEvent[]];

/** Consecutive events of a stream, which one append takes. */
async function* batchesOf(events: AsyncIterable<RecordedEvent>): AsyncGenerator<Batch, void> {
  let batch: [RecordedEvent, ...RecordedEvent[]] | undefined;
  let bytes = 0;
  for await (const event of events) {
    const { id, stream, revision, unreadable } = event;
    if (unreadable !== undefined)
      throw new OperatorError(
        `the event ${id} of "${stream}" (revision ${revision}) cannot be read, because ${unreadable}: only a log in SQLite can take it over`,
      );
    const size = Buffer.byteLength(JSON.stringify(event));
    if (batch?.[0].stream === stream && batch.length < APPEND_EVENTS && bytes + size < APPEND_BYTES) {
      batch.push(event);
      bytes += size;
      continue;
    }
    if (batch !== undefined) yield batch;
    batch = [event];
    bytes = size;
  }
  if (batch !== undefined) yield batch;
}

async function append(store: EventStore, events: Batch): Promise<void> {
  const [{ stream, revision }] = events;
  const { outcome } = await store.append(
    stream,
    revision === 0 ? 'none' : revision - 1,
    events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
  );
  if (outcome !== 'appended')
    throw new OperatorError(
      `the stream "${stream}" of the store has other events than the backup: somebody else writes to it`,
    );
}
