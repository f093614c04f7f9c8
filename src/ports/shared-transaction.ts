/** What a log and its read models offer to each other where both are in one place: one transaction for an append and what follows from it. */
import type { RecordedEvent } from './event-store.ts';
import type { Collection, CollectionCommit, StoredDocument } from './read-model.ts';

/** What is written in the same transaction as the events. */
export interface InlineProjections {
  /** Called synchronously after the events of one append were written. When it throws, what it wrote is undone. */
  apply(events: readonly RecordedEvent[]): void;
  /** Called after `apply` threw and was undone; what this writes stays, as the append does. Must not throw. */
  failed?(error: unknown, events: readonly RecordedEvent[]): void;
}

/** What a read model offers to the transaction of an append. */
export interface SynchronousReadModel {
  /** As `load`, at once. Within a transaction it sees what that has written. */
  loadNow(collection: Collection, keys: readonly string[]): ReadonlyMap<string, StoredDocument>;
  /** As `commit`, as a part of the transaction that is running: what it throws must undo that, or a savepoint of it. */
  commitNow(commits: readonly CollectionCommit[]): void;
}
