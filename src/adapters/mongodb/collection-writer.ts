/**
 * Writes one collection under a term, one thing at a time. Every step is a compare-and-set on the registry or guarded
 * by what was read, so that of two writers only one goes on, and what an interrupted one left is settled by the next.
 */
import type { Db } from 'mongodb';
import type { Collection, Generation, StoredDocument } from '../../kernel/ports/read-model.ts';
import { type CommitPart, commitPart } from './commit-part.ts';
import { createGenerationWrites } from './generation-writes.ts';
import { entryOf } from './generations.ts';
import type { Fill, Registered, StoredGeneration } from './layout.ts';
import { createOwnedRegistration } from './owned-registration.ts';
import type { RegistrationWrites } from './registration-writes.ts';
import type { Known } from './registry.ts';
import { createWriterFills } from './writer-fills.ts';

export interface CollectionWriter {
  /** Given what is registered after the call of `sinceNow`, throws `WritesLost` if that is older than what was acknowledged before it. */
  sinceNow(): (registered: Known | undefined) => void;
  /** Settles what the former writer left, if the collection is registered. */
  takeOver(): Promise<void>;
  prepare(collection: Collection): Promise<void>;
  entry(collection: Collection, wanted: Generation | undefined): Promise<StoredGeneration>;
  load(
    collection: Collection,
    wanted: Generation | undefined,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, StoredDocument>>;
  commit(parts: readonly CommitPart[]): Promise<void>;
  clear(collection: Collection): Promise<void>;
  renew(collection: Collection): Promise<Generation>;
  withdraw(version: number): Promise<void>;
  goLive(collection: Collection): Promise<void>;
}

export interface WriterOptions {
  readonly database: Db;
  readonly name: string;
  readonly term: number;
  readonly registrations: RegistrationWrites;
  /** What is registered now. */
  readonly noted: (registered: Registered) => void;
  /** Nothing refers to these any more. */
  readonly retired: (fills: readonly Fill[]) => void;
}

export function createCollectionWriter(options: WriterOptions): CollectionWriter {
  const { database, name, retired } = options;
  const fills = createWriterFills(database, name);
  const registration = createOwnedRegistration({ ...options, forgotten: fills.forget });
  const generations = createGenerationWrites(registration, fills, retired);
  const { writing, known, sinceNow } = registration;

  return {
    sinceNow,

    // The writer before may still be writing, and then is tried again.
    takeOver: () => writing(async () => undefined),

    entry: (collection, wanted) => writing(async () => entryOf(known(), collection, wanted)),

    load: (collection, wanted, keys) =>
      writing(() => fills.of(entryOf(known(), collection, wanted)).rows.load(keys)),

    commit: (parts) =>
      writing(async () => {
        for (const part of parts) await commitPart(registration, fills, part);
      }),

    prepare: (collection) => writing(() => generations.prepare(collection)),
    clear: (collection) => writing(() => generations.clear(collection)),
    renew: (collection) => writing(() => generations.renew(collection)),
    withdraw: (version) => writing(() => generations.withdraw(version)),
    goLive: (collection) => writing(() => generations.goLive(collection)),
  };
}
