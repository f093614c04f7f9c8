/**
 * Writes what one commit changes in one generation: for each chunk the intent, the rows and the lists, in this order, and at
 * the end the checkpoint. What an interruption leaves is settled by whoever takes over.
 */
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Collection, Generation } from '../../kernel/ports/read-model.ts';
import { chunksOf } from './change-chunks.ts';
import { entryOf } from './generations.ts';
import type { StoredGeneration } from './layout.ts';
import type { OwnedRegistration } from './owned-registration.ts';
import { type KnownRow, knownOf, laterChanges, partitionsOf, planChunk } from './plan-chunk.ts';
import { finishedCommit, intendedChunk } from './registration-changes.ts';
import type { RenderedChange } from './render-change.ts';
import type { StoredRows } from './stored-rows.ts';
import type { WriterFills } from './writer-fills.ts';

export interface CommitPart {
  readonly collection: Collection;
  readonly generation: Generation | undefined;
  readonly changes: readonly RenderedChange[];
  readonly checkpoint: Position | undefined;
}

/** The most that one step writes; a larger commit takes several. */
const MOST = { changes: 1_000, bytes: 8 * 1_048_576 };

export async function commitPart(
  registration: OwnedRegistration,
  fills: WriterFills,
  { collection, generation, changes, checkpoint }: CommitPart,
): Promise<void> {
  const entry = () => entryOf(registration.known(), collection, generation);
  const written = new Map<string, KnownRow>();
  for (const chunk of chunksOf(changes, MOST)) {
    for (const row of await commitChunk(registration, fills, entry(), chunk, written)) {
      written.set(row._id, row);
    }
  }
  const finished = finishedCommit(registration.current(), entry(), checkpoint);
  if (finished !== undefined) await registration.save(finished);
}

/** Resolves with the rows that it wrote. */
async function commitChunk(
  registration: OwnedRegistration,
  fills: WriterFills,
  entry: StoredGeneration,
  chunk: readonly RenderedChange[],
  written: ReadonlyMap<string, KnownRow>,
): Promise<readonly KnownRow[]> {
  const { rows, lists } = fills.of(entry);
  const known = await knownRows(rows, chunk, written);
  const later = laterChanges(chunk, known);
  if (later.length === 0) return [];
  await lists.load(partitionsOf(later, known));
  const plan = planChunk(later, known, lists, entry.next);
  await registration.save(intendedChunk(registration.current(), entry, plan));
  await rows.write(plan.rows);
  await lists.write(plan.places);
  return plan.rows.map(({ row }) => knownOf(row));
}

async function knownRows(
  rows: StoredRows,
  chunk: readonly RenderedChange[],
  written: ReadonlyMap<string, KnownRow>,
): Promise<ReadonlyMap<string, KnownRow>> {
  const keys = new Set(chunk.map(({ key }) => key));
  const known = await rows.known([...keys].filter((key) => !written.has(key)));
  for (const key of keys) {
    const row = written.get(key);
    if (row !== undefined) known.set(key, row);
  }
  return known;
}
