/**
 * Waits until EventStoreDB shows the event that caused a conflict: it compares revisions with events still being
 * written, and answers a conflict before they can be read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { revisionNumber } from './messages.ts';
import { lastOfStream } from './reading.ts';

/** Milliseconds between two reads; after the last one the reader has to cope. */
const PAUSES = [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Resolves once a read of the stream shows the revision, or after a second. Never rejects: the conflict stands. */
export async function untilShown(connection: Connection, stream: string, revision: number): Promise<void> {
  for (const pause of PAUSES) {
    try {
      if ((await lastRevision(connection, stream)) >= revision) return;
    } catch {
      return;
    }
    await sleep(pause);
  }
}

/** -1 where there is no event. */
export async function lastRevision(connection: Connection, stream: string): Promise<number> {
  const record = await lastOfStream(connection, stream);
  return record === undefined ? -1 : revisionNumber(record.getStreamRevision());
}
