/** Under which term is written, and the note that the writer leaves for all processes. */
import type { Db } from 'mongodb';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { WriterReplaced, WritesLost } from '../../kernel/ports/shared-read-model.ts';
import { READ_TIME, writerStateOf } from './layout.ts';
import { isDuplicateKey } from './write-conflict.ts';

export interface WriterTerm {
  /** @throws WriterReplaced when a higher term has begun. */
  begin(term: number): Promise<void>;
  require(term: number): Promise<void>;
  writeProgress(term: number, progress: JsonObject): Promise<void>;
  progress(): Promise<JsonObject | undefined>;
}

const WRITER = { _id: 'writer' } as const;

export function createWriterTerm(database: Db): WriterTerm {
  const stored = writerStateOf(database);
  let notes = 0;
  let hasBegun = false;
  let writing: Promise<unknown> = Promise.resolve();

  const state = () => stored.findOne(WRITER, { maxTimeMS: READ_TIME });

  async function require(term: number): Promise<void> {
    const found = await state();
    if (found !== null && found.term > term) throw replacedBy(found.term);
  }

  async function write(term: number, progress: JsonObject): Promise<void> {
    notes += 1;
    const { matchedCount } = await stored.updateOne(
      { ...WRITER, $or: [{ term: { $lt: term } }, { term, notes: { $lt: notes } }] },
      { $set: { term, notes, progress: JSON.stringify(progress) } },
    );
    if (matchedCount === 1) return;
    const found = await state();
    if (found === null && hasBegun) throw new WritesLost(stored.collectionName);
    if (found === null)
      throw new WriterReplaced('the read model does not know who writes it: no term has begun');
    if (found.term > term) throw replacedBy(found.term);
    // Written by a repetition of the same request, or by another process of this term.
    notes = Math.max(notes, found.notes);
  }

  return {
    require,

    async begin(term) {
      try {
        // Where the term is higher, the filter finds nothing and the insertion finds the document.
        await stored.updateOne(
          { ...WRITER, term: { $lte: term } },
          { $set: { term }, $setOnInsert: { notes: 0, progress: null } },
          { upsert: true },
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await require(term);
      notes = (await state())?.notes ?? 0;
      hasBegun = true;
    },

    async writeProgress(term, progress) {
      const turn = writing.then(() => write(term, progress));
      writing = turn.catch(() => undefined);
      await turn;
    },

    async progress() {
      const text = (await state())?.progress;
      return typeof text === 'string' ? JSON.parse(text) : undefined;
    },
  };
}

export function replacedBy(term: number): WriterReplaced {
  return new WriterReplaced(`another process writes the read model now, under term ${term}`);
}
