/**
 * Writes a log through a store's appends, many of them under way at once. They are sent in the order of the log, which
 * servers keep that handle one connection's appends in order; the copy is compared with its source afterwards.
 */

import { OperatorError } from '../../kernel/ports/errors.ts';
import type { EventStore, ExpectedRevision, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { LogWriter } from '../../kernel/ports/log-writer.ts';

/** Well below the 1 MiB that an append may have. */
const APPEND_BYTES = 512 * 1024;
const APPEND_EVENTS = 500;

/** What keeps others from taking a part of the copy for the whole. */
export interface CopyMark {
  begin(): Promise<void>;
  finish(): Promise<void>;
}

export function createAppendingWriter(
  store: Pick<EventStore, 'append'>,
  atOnce: number,
  mark?: CopyMark,
): LogWriter {
  const underWay = new Set<Promise<void>>();
  let failure: unknown;
  let isFailed = false;
  let isBegun = false;

  async function appendNow(events: readonly RecordedEvent[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    const expected: ExpectedRevision = first.revision === 0 ? 'none' : first.revision - 1;
    const { outcome } = await store.append(
      first.stream,
      expected,
      events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
    );
    if (outcome === 'appended') return;
    throw new OperatorError(
      `the stream "${first.stream}" of the target has other events than the source: somebody else writes to it, or it holds another log`,
    );
  }

  async function send(events: readonly RecordedEvent[]): Promise<void> {
    while (underWay.size >= atOnce) await Promise.race(underWay);
    if (isFailed) throw failure;
    const work: Promise<void> = appendNow(events)
      .catch((error: unknown) => {
        if (!isFailed) failure = error;
        isFailed = true;
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  async function settled(): Promise<void> {
    await Promise.all(underWay);
    if (isFailed) throw failure;
  }

  return {
    async add(events) {
      if (!isBegun) await mark?.begin();
      isBegun = true;
      for (const batch of batchesOf(events)) await send(batch);
      // What was sent later must not be there without it.
      if (isFailed) await settled();
    },
    settle: settled,
    async finish() {
      await settled();
      await mark?.finish();
    },
  };
}

/** Consecutive events of one stream. */
function* batchesOf(events: readonly RecordedEvent[]): Generator<readonly RecordedEvent[]> {
  let batch: RecordedEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    if (event.unreadable !== undefined) {
      throw new OperatorError(
        `the event ${event.id} of "${event.stream}" (revision ${event.revision}) cannot be read, because ${event.unreadable}: only a log in SQLite can take it over`,
      );
    }
    const size = Buffer.byteLength(JSON.stringify(event));
    const isNext =
      batch.at(-1)?.stream === event.stream && batch.length < APPEND_EVENTS && bytes + size < APPEND_BYTES;
    if (!isNext && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(event);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
