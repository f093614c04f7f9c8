/** For a log and read models in one place: one transaction for an append and its projections. */
import type { RecordedEvent } from './event-store.ts';
import type { Collection, CollectionCommit, Generation, StoredDocument } from './read-model.ts';

/** What is written in the same transaction as the events. */
export interface InlineProjections {
  /** Called synchronously after the events of one append were written. If it throws, its writes are undone. */
  apply(events: readonly RecordedEvent[]): void;
  /** Called after `apply` threw and was undone; its own writes are kept, and so is the append. Must not throw. */
  failed?(error: unknown, events: readonly RecordedEvent[]): void;
}

/** What a read model offers to the transaction of an append. */
export interface SynchronousReadModel {
  /** Like `load`, but synchronous. Within a transaction it sees that transaction's writes. */
  loadNow(
    collection: Collection,
    keys: readonly string[],
    generation?: Generation,
  ): ReadonlyMap<string, StoredDocument>;
  /**
   * Like `commit`, but inside the running transaction: if it throws, the caller must undo that, or a savepoint of it.
   */
  commitNow(commits: readonly CollectionCommit[]): void;
  /** Runs `work` within the running transaction; if it throws, undoes what it wrote, and nothing else. */
  attempt(work: () => void): void;
}
