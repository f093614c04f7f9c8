/**
 * Marks a log whose restoration is not finished, so that no service goes on with the part of it that is there. The mark is the
 * last event of a stream beside the log: its name has none of the log's prefix, so that it is no part of it.
 */
import { randomUUID } from 'node:crypto';
import type { CheckedEvent } from '../../kernel/ports/append-rules.ts';
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { Connection } from './connection.ts';
import { lastOfStream } from './reading.ts';

const BEGUN = 'CopyBegun';
const FINISHED = 'CopyFinished';

/** Prefixes have no hyphen. */
const streamOf = (prefix: string) => `${prefix}-copy`;

export async function isUnfinished(connection: Connection, prefix: string): Promise<boolean> {
  const record = await lastOfStream(connection, streamOf(prefix));
  return record?.getMetadataMap().get('type') === BEGUN;
}

/** Throws `OperatorError`. */
export async function requireFinished(connection: Connection, prefix: string): Promise<void> {
  if (!(await isUnfinished(connection, prefix))) return;
  throw new OperatorError(
    'the event log is not whole, because "levy restore" was interrupted: run the same command again until it says that it is done',
  );
}

/** The arguments of an append. */
export function markAppend(prefix: string, mark: 'begun' | 'finished') {
  const event: CheckedEvent = {
    event: { id: randomUUID(), type: mark === 'begun' ? BEGUN : FINISHED, data: {}, metadata: {} },
    data: '{}',
    metadata: '{}',
  };
  return [streamOf(prefix), 'any', [event]] as const;
}
