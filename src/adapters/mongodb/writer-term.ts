/** The term under which this process writes, and the progress that it publishes for all processes. */
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { WriterReplaced, WritesLost } from '../../kernel/ports/shared-read-model.ts';
import { IN_TIME } from './client.ts';
import { writerStateOf } from './layout.ts';
import { type RegistrationWriter, replacedBy } from './registration-writer.ts';
import { isDuplicateKey } from './write-conflict.ts';

export interface WriterTerm {
  begin(term: number): Promise<void>;
  isHeld(): boolean;
  /** Rejects when this process does not write. After `WriterReplaced` it writes nothing until another term begins. */
  writing<Result>(work: (term: number) => Promise<Result>): Promise<Result>;
  writeProgress(progress: JsonObject): Promise<void>;
  progress(): Promise<JsonObject | undefined>;
}

const WRITER = { _id: 'writer' } as const;
/** Milliseconds between two checks that the server still has what it acknowledged. */
const CHECKED_EVERY = 2_000;

export function createWriterTerm(
  database: Db,
  registrations: Pick<RegistrationWriter, 'begin' | 'check'>,
): WriterTerm {
  const stored = writerStateOf(database);
  const notesInTurn = pLimit(1);
  let own: number | undefined;
  let checkedAt = performance.now();

  async function requireTerm(term: number): Promise<void> {
    const found = await stored.findOne(WRITER, IN_TIME);
    if (found === null || found.term < term) throw new WritesLost(stored.collectionName);
    if (found.term > term) throw replacedBy(found.term);
  }

  async function whileHeld<Result>(work: (term: number) => Promise<Result>): Promise<Result> {
    const term = own;
    if (term === undefined) throw new WriterReplaced('this process does not write the read model');
    try {
      return await work(term);
    } catch (error) {
      if (error instanceof WriterReplaced && own === term) own = undefined;
      throw error;
    }
  }

  return {
    isHeld: () => own !== undefined,

    writing: (work) =>
      whileHeld(async (term) => {
        await Promise.all([requireTerm(term), registrations.check()]);
        return work(term);
      }),

    async begin(term) {
      own = undefined;
      await raiseTerm(stored, term);
      await requireTerm(term);
      await registrations.begin(term);
      own = term;
    },

    writeProgress: (progress) =>
      notesInTurn(() =>
        whileHeld(async (term) => {
          const now = performance.now();
          // A process that has nothing else to write would not notice a loss.
          if (now - checkedAt >= CHECKED_EVERY) {
            checkedAt = now;
            await registrations.check();
          }
          const { matchedCount } = await stored.updateOne(
            { ...WRITER, term },
            { $set: { progress: JSON.stringify(progress) } },
          );
          if (matchedCount === 0) await requireTerm(term);
        }),
      ),

    async progress() {
      const text = (await stored.findOne(WRITER, IN_TIME))?.progress;
      return typeof text === 'string' ? JSON.parse(text) : undefined;
    },
  };
}

async function raiseTerm(stored: ReturnType<typeof writerStateOf>, term: number): Promise<void> {
  try {
    // If the term is higher, the filter finds nothing and the insertion finds the document.
    await stored.updateOne(
      { ...WRITER, term: { $lte: term } },
      { $set: { term }, $setOnInsert: { progress: null } },
      { upsert: true },
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
