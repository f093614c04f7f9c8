/**
 * Appends the log of a backup to an empty store: the same events with the same ids, in the same order. Existing
 * events of the store must be a prefix of the log, as after an interrupted restore. Leases and snapshots are not
 * restored. Of the notary's claims, only the last one is.
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

/** Bytes per append, well below the limit of 1 MiB. */
const APPEND_BYTES = 512 * 1024;
const APPEND_EVENTS = 500;
/**
 * Number of concurrent appends. Servers handle the appends of one connection in order, and both logs are compared
 * afterwards.
 */
const BATCH_SIZE = 128;

/** Streams that are not restored: leases belong to processes of the other store, and snapshots are built again. */
const NOT_RESTORED: ReadonlySet<string> = new Set([lease.category, snapshot.category]);

export function isRestored({ stream }: { readonly stream: string }): boolean {
  return !NOT_RESTORED.has(categoryOf(stream));
}

/** The notary needs only its last claim. */
function isClaim({ stream }: { readonly stream: string }): boolean {
  return categoryOf(stream) === checkpoint.category;
}

type Source = Pick<LogReader, 'events'>;

/** Resolves after both logs were compared. `there` is the result of `countEqual`. */
export async function appendLog(
  source: Source,
  store: EventStore,
  { there: existing = 0, progress }: { readonly there?: number | undefined; progress(events: number): void },
): Promise<void> {
  const claims = new Map<string, RecordedEvent>();
  let count = 0;
  async function* missing(): AsyncGenerator<RecordedEvent, void> {
    for await (const event of source.events()) {
      if (isClaim(event)) claims.set(event.stream, event);
      else if (isRestored(event)) {
        count += 1;
        if (count > existing) yield event;
        progress(count);
      }
    }
  }
  await pMap(batchesOf(missing()), (batch) => append(store, batch), { concurrency: BATCH_SIZE });
  const found = await countEqual(source, store);
  if (found !== count)
    throw new OperatorError(
      `the store has ${found} events, but the backup has ${count}; run the restore again`,
    );
  for (const claim of claims.values()) await append(store, [{ ...claim, revision: 0 }]);
}

/** Returns the number of events in the store. Rejects with `OperatorError` unless they are a prefix of the source. */
export async function countEqual(source: Source, store: EventStore): Promise<number> {
  const expected = appended(source.events());
  let count = 0;
  try {
    for await (const event of appended(readLog(store))) {
      const { value } = await expected.next();
      if (value === undefined)
        throw new OperatorError(
          `the store has more than the ${count} events of the backup, so a service has used it. The store was not changed; use an empty store`,
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

/** Excludes the position, which differs between stores. */
function contentOf({ id, stream, revision, type, data, metadata }: RecordedEvent): string {
  return JSON.stringify([id, stream, revision, type, data, metadata]);
}

function otherEvent(expected: RecordedEvent, found: RecordedEvent, count: number): OperatorError {
  const placeOf = ({ id, stream, revision }: RecordedEvent) => `${id} (${stream}, revision ${revision})`;
  return new OperatorError(
    `the store contains a different log: after ${count} equal events, it has event ${placeOf(found)}, and the backup has ${placeOf(expected)}. Use an empty store, or another EVENT_STORE_PREFIX`,
  );
}

type Batch = readonly [RecordedEvent, ...RecordedEvent[]];

/** Groups consecutive events of a stream into batches of one append each. */
async function* batchesOf(events: AsyncIterable<RecordedEvent>): AsyncGenerator<Batch, void> {
  let batch: [RecordedEvent, ...RecordedEvent[]] | undefined;
  let bytes = 0;
  for await (const event of events) {
    const { id, stream, revision, unreadable } = event;
    if (unreadable !== undefined)
      throw new OperatorError(
        `event ${id} of "${stream}" (revision ${revision}) cannot be read: ${unreadable}; restore the log to SQLite, which can store it`,
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
      `the stream "${stream}" of the store differs from the backup; stop other processes that write to the store`,
    );
}
