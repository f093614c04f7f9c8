/** The term under which this process writes, with a writer for each collection; none while another process writes. */
import type { Db } from 'mongodb';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { WriterReplaced } from '../../kernel/ports/shared-read-model.ts';
import { type CollectionWriter, createCollectionWriter } from './collection-writer.ts';
import { createRegistrationWrites } from './registration-writes.ts';
import type { Registry } from './registry.ts';
import type { RetiredFills } from './retired-fills.ts';
import { createWriterTerm } from './writer-term.ts';

export interface TermWriters {
  /** Takes over every registered collection. @throws WriterReplaced when a higher term has begun. */
  beginTerm(term: number): Promise<void>;
  isWriting(): boolean;
  /** @throws WriterReplaced while this process does not write. */
  of(name: string): CollectionWriter;
  /** Once the work says that the writer was replaced, nothing is written until another term begins. */
  writing<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws WriterReplaced when a higher term has begun. */
  requireTerm(): Promise<void>;
  writeProgress(progress: JsonObject): Promise<void>;
  progress(): Promise<JsonObject | undefined>;
}

/** Milliseconds between two looks whether the server still has what it acknowledged. */
const LOOKED_EVERY = 2_000;

/** By collection, opened when first asked for. */
interface Writers {
  of(name: string): CollectionWriter;
  readonly opened: ReadonlyMap<string, CollectionWriter>;
}

export interface TermWritersOptions {
  readonly database: Db;
  readonly registry: Registry;
  readonly retired: Pick<RetiredFills, 'removeLater' | 'removeUnknownLater'>;
  /** Throws once the read model is closed. */
  readonly requireOpen: () => void;
}

export function createTermWriters(options: TermWritersOptions): TermWriters {
  const { database, registry, retired, requireOpen } = options;
  const writerTerm = createWriterTerm(database);
  /** Undefined while this process does not write. */
  let writers: Writers | undefined;
  let ownTerm = 0;
  let lookedAt = performance.now();

  function current(): Writers {
    requireOpen();
    if (writers === undefined) throw new WriterReplaced('this process does not write the read model');
    return writers;
  }

  async function writing<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = writers;
    try {
      return await work();
    } catch (error) {
      if (error instanceof WriterReplaced && writers === before) writers = undefined;
      throw error;
    }
  }

  /** A collection that nothing is written to would not notice by itself. */
  async function requireNothingLost({ opened }: Writers): Promise<void> {
    const now = performance.now();
    if (now - lookedAt < LOOKED_EVERY) return;
    lookedAt = now;
    const checks = [...opened].map(([name, writer]) => [name, writer.sinceNow()] as const);
    const found = await registry.all();
    for (const [name, requireKept] of checks) requireKept(found.find(({ _id }) => _id === name));
  }

  return {
    async beginTerm(term) {
      requireOpen();
      if (term < ownTerm) throw new WriterReplaced(`this process has begun term ${ownTerm}`);
      writers = undefined;
      await writerTerm.begin(term);
      const begun = writersUnder(term, options);
      for (const { _id } of await registry.all()) await begun.of(_id).takeOver();
      await retired.removeUnknownLater();
      ownTerm = term;
      writers = begun;
    },
    isWriting: () => writers !== undefined,
    of: (name) => current().of(name),
    writing,
    requireTerm: () => writerTerm.require(ownTerm),
    async writeProgress(progress) {
      const own = current();
      await writing(async () => {
        await requireNothingLost(own);
        await writerTerm.writeProgress(ownTerm, progress);
      });
    },
    async progress() {
      requireOpen();
      return writerTerm.progress();
    },
  };
}

function writersUnder(term: number, { database, registry, retired }: TermWritersOptions): Writers {
  const opened = new Map<string, CollectionWriter>();
  const registrations = createRegistrationWrites(database);
  return {
    opened,
    of(name) {
      const known = opened.get(name);
      if (known !== undefined) return known;
      const writer = createCollectionWriter({
        database,
        name,
        term,
        registrations,
        noted: registry.note,
        retired: (fills) => retired.removeLater(fills.map((fill) => fill.name)),
      });
      opened.set(name, writer);
      return writer;
    },
  };
}
