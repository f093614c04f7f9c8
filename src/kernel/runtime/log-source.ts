/**
 * Identifies the log of a read model by the id of the log's first event, which the read model stores. It also stores the
 * latest handled event: a log restored from an older copy has the same beginning, and may have grown to any length since.
 */

import { OperatorError } from '../ports/errors.ts';
import { type EventStore, type RecordedEvent, START } from '../ports/event-store.ts';
import type { Collection, CollectionCommit, ReadModel, StoredDocument } from '../ports/read-model.ts';

const SOURCE: Collection = { name: 'source_log', version: 1 };
const LATEST = 'latest';

export async function sourceOf(store: EventStore, readModel: ReadModel) {
  await readModel.prepare([SOURCE]);
  const first = await firstEventOf(store);
  const documents = await readModel.load(SOURCE, [SOURCE.name, LATEST]);
  const source = documents.get(SOURCE.name);
  const known = source?.document;
  const latest = documents.get(LATEST);
  const isSameLog = known === undefined || known.firstEvent === first?.id;
  // A different position of the first event means that the log was moved to another store.
  const isAlike = known === undefined || source?.position === first?.position;
  const isKnown = isSameLog && isAlike && (await exists(store, latest));
  return {
    /** True if the log begins with the event that the read model stores, or the read model stores none. */
    isSameLog,
    /** True if the log contains all events from which the read model was built. */
    isKnown,
    /** Position of the latest of these events; undefined if none is stored. */
    sameUpTo: latest?.position,
    async save(): Promise<void> {
      if (isKnown && known?.firstEvent === first?.id) return;
      await readModel.renew(SOURCE, 'nothing');
      if (first === undefined) return;
      const document = { firstEvent: first.id };
      await readModel.commit([
        { collection: SOURCE, changes: [{ key: SOURCE.name, position: first.position, document }] },
      ]);
    },
  };
}

/**
 * Error for read models built from another log. If other processes use them, they may belong to another deployment, and must
 * not be emptied.
 */
export function otherLog(): OperatorError {
  return new OperatorError(
    'The read models at READ_MODEL_URL were built from another event log; they were not changed. Set READ_MODEL_URL to the database that belongs to the log at EVENT_STORE_URL, or to an empty one.',
  );
}

/** Written together with the projected documents; the latest event of all projections is stored. */
export function latestOf(events: readonly RecordedEvent[]): readonly CollectionCommit[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  const { id, stream, revision, position } = last;
  return [{ collection: SOURCE, changes: [{ key: LATEST, position, document: { id, stream, revision } }] }];
}

/** Compares the position as well, because a log copied to another store has other positions. */
async function exists(store: EventStore, latest: StoredDocument | undefined): Promise<boolean> {
  if (latest?.document === undefined) return true;
  const { id, stream, revision } = latest.document;
  for await (const event of store.read(String(stream), Number(revision))) {
    return event.id === id && event.position === latest.position;
  }
  return false;
}

/** Undefined for an empty log. */
export async function firstEventOf(store: Pick<EventStore, 'subscribe'>): Promise<RecordedEvent | undefined> {
  const found = new AbortController();
  for await (const message of store.subscribe({ after: START, signal: found.signal })) {
    if (message.kind === 'checkpoint') continue;
    return message.kind === 'event' ? message.event : undefined;
  }
  return undefined;
}
