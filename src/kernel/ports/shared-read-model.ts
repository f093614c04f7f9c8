/**
 * A read model on a server that many processes use: one of them writes, under the term of its lease, and all of them
 * read. `test/contracts/shared-read-model.contract.ts` checks the guarantees of every adapter.
 */
import type { JsonObject } from './event-store.ts';
import type { BuildState, Collection, ReadModel } from './read-model.ts';

/**
 * `prepare` in a process that has begun no term creates nothing: it only makes the collections known to the reads.
 * Other processes notice within a few seconds which generation is live.
 */
export interface SharedReadModel extends ReadModel {
  /**
   * From now on this process writes, under the term's number. A commit that a writer of a lower term left unfinished, or
   * sends later, leaves nothing that differs from what this process writes from the checkpoint on; its checkpoints are
   * refused. Rejects with `WriterReplaced` when a higher term has begun. Before this, `prepare` creates nothing and every
   * other write rejects with `WriterReplaced`. Writes of the term reject with `WritesLost` once the server is seen to lack
   * what it had acknowledged in it, which `writeStatus` notices as well.
   */
  beginTerm(term: number): Promise<void>;

  /** Replaces what the writer reports of itself. Rejects with `WriterReplaced` when a higher term has begun. */
  writeStatus(status: JsonObject): Promise<void>;

  /** All of it at one moment. Queries that this process sends later read what it names, or what is newer. */
  progress(collections: readonly Collection[]): Promise<{
    /** The latest one; undefined before the first. */
    readonly status: JsonObject | undefined;
    /** The result of `served` for each collection, by name. */
    readonly served: ReadonlyMap<string, BuildState>;
  }>;
}

/** The methods that only the writer may call. */
export const SHARED_WRITES: ReadonlySet<string> = new Set<keyof SharedReadModel>([
  'beginTerm',
  'writeStatus',
  'prepare',
  'commit',
  'renew',
  'goLive',
]);

/** Another process writes this read model now, or this one never began a term. */
export class WriterReplaced extends Error {
  override readonly name = 'WriterReplaced';
}

/**
 * The server no longer has what it had acknowledged: a rollback was forced, or somebody put an older state back. Nothing
 * more is written, for it would hide the gap: the next term goes on from the checkpoints that are left.
 */
export class WritesLost extends WriterReplaced {
  constructor() {
    super('the server has lost writes of the read models that it had acknowledged');
  }
}

/** A newer version of the collection is live; this one stands by, since it must not take the newer one's place. */
export class NewerVersionLive extends Error {
  override readonly name = 'NewerVersionLive';
  readonly collection: string;
  constructor(collection: string, version: number) {
    super(`version ${version} of the read model "${collection}" is live, which is newer`);
    this.collection = collection;
  }
}
