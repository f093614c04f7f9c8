/**
 * Marks a log whose restore is unfinished, so that no service uses it. The mark is the last event of a stream whose name
 * lacks the log's prefix, so the stream is not part of the log.
 */
import { randomUUID } from 'node:crypto';
import type { CheckedEvent } from '../../kernel/ports/append-rules.ts';
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { Connection } from './connection.ts';
import { lastOfStream } from './read-stream.ts';

const BEGUN = 'CopyBegun';
const FINISHED = 'CopyFinished';

/** Prefixes contain no hyphen. */
const streamOf = (prefix: string) => `${prefix}-copy`;

export async function isUnfinished(connection: Connection, prefix: string): Promise<boolean> {
  const record = await lastOfStream(connection, streamOf(prefix));
  return record?.getMetadataMap().get('type') === BEGUN;
}

/** Throws `OperatorError` if a restore is unfinished. */
export async function requireFinished(connection: Connection, prefix: string): Promise<void> {
  if (!(await isUnfinished(connection, prefix))) return;
  throw new OperatorError(
    'the event log is incomplete because "levy restore" was interrupted: run the same command again until it succeeds',
  );
}

export function markAppend(prefix: string, mark: 'begun' | 'finished') {
  const event: CheckedEvent = {
    event: { id: randomUUID(), type: mark === 'begun' ? BEGUN : FINISHED, data: {}, metadata: {} },
    data: '{}',
    metadata: '{}',
  };
  return [streamOf(prefix), 'any', [event]] as const;
}
