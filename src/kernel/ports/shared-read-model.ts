/**
 * Read model on a server for many processes: one of them writes, under the term of its lease, and all of them read.
 * `test/contracts/shared-read-model.contract.ts` checks the guarantees of every adapter.
 */
import type { JsonObject } from './event-store.ts';
import type { BuildState, Collection, ReadModel } from './read-model.ts';

/**
 * `prepare` without a term creates nothing: it only makes the collections available to reads. Other processes detect within
 * a few seconds which build is live.
 */
export interface SharedReadModel extends ReadModel {
  /**
   * Makes this process the writer, under the term's number. Late commits of lower terms cannot change the result:
   * this process overwrites them from the checkpoint on, and their checkpoints are rejected. Rejects with
   * `WriterReplaced` if a higher term has begun. Before this call, `prepare` creates nothing and all other writes
   * reject with `WriterReplaced`. A write rejects with `WritesLost` once the server is found to lack acknowledged
   * writes of the term; `writeStatus` detects this too.
   */
  startTerm(term: number): Promise<void>;

  /** Replaces the writer's status report. Rejects with `WriterReplaced` if a higher term has begun. */
  writeStatus(status: JsonObject): Promise<void>;

  /** Consistent snapshot. Later queries of this process read the returned builds or newer ones. */
  progress(collections: readonly Collection[]): Promise<{
    /** Latest status; undefined before the first. */
    readonly status: JsonObject | undefined;
    /** Result of `served` for each collection, by name. */
    readonly served: ReadonlyMap<string, BuildState>;
  }>;
}

export const SHARED_WRITES: ReadonlySet<string> = new Set<keyof SharedReadModel>([
  'startTerm',
  'writeStatus',
  'prepare',
  'commit',
  'renew',
  'goLive',
]);

/** Another process is the writer of this read model, or this one never began a term. */
export class WriterReplaced extends Error {
  override readonly name = 'WriterReplaced';
}

/**
 * The server lacks acknowledged writes, because a rollback was forced or an older state was restored. Further writes would hide
 * the gap, so this process writes nothing more. The next term continues from the remaining checkpoints.
 */
export class WritesLost extends WriterReplaced {
  constructor() {
    super('the server has lost acknowledged writes of the read models');
  }
}

/** A newer version of the collection is live, which this version must not replace. */
export class NewerVersionLive extends Error {
  override readonly name = 'NewerVersionLive';
  readonly collection: string;
  constructor(collection: string, version: number) {
    super(`a newer version (${version}) of the read model "${collection}" is live`);
    this.collection = collection;
  }
}
