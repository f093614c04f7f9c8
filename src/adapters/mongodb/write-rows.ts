/**
 * Writes changes into a build. A row is replaced only by a later position, and its ranks derive from positions, so
 * repeating a write, or a late write of a superseded writer, changes nothing. Totals are updated by difference; a row ahead of
 * the checkpoint may have been written without its total, so its partitions are counted again.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Position } from '../../kernel/ports/event-store.ts';
import { IN_TIME } from './client.ts';
import type { PlaceInList, Row, StoredBuild, Total } from './layout.ts';
import { countListed, totalId } from './lists.ts';
import { KNOWN, type RenderedChange, type RowHeader, rowAfter } from './stored-row.ts';
import { afterConflicts, orConflict, WriteConflict } from './write-conflict.ts';

/** Partitions whose totals must be counted, by the totals' ids. */
type Uncertain = Map<string, Pick<PlaceInList, 'l' | 'p'>>;

const MAX_CHANGES = 1_000;

export interface BuildState {
  readonly stored: StoredBuild;
  readonly checkpoint: Position | null;
  readonly uncertain: Uncertain;
  /** Rows of the latest load, undefined for missing ones, so that the next commit need not read them again. */
  readonly loaded: Map<string, RowHeader | undefined>;
}

export async function writeRows(state: BuildState, changes: readonly RenderedChange[]): Promise<void> {
  /** Rows by key, as loaded or as written by this commit. */
  const known = new Map(state.loaded);
  state.loaded.clear();
  for (let first = 0; first === 0 || first < changes.length; first += MAX_CHANGES) {
    const chunk = changes.slice(first, first + MAX_CHANGES);
    await afterConflicts(
      () => writeChunk(state, chunk, known),
      () => known.clear(),
    );
  }
}

/** Rows ahead of the checkpoint come from an interrupted commit or a superseded writer. */
export function noteIfAhead(
  { checkpoint, uncertain }: Pick<BuildState, 'checkpoint' | 'uncertain'>,
  { p: position, o = [] }: Pick<Row, 'p' | 'o'>,
): void {
  if (position <= (checkpoint ?? '')) return;
  // The document may have left any of its earlier partitions.
  for (const { l, p } of o) uncertain.set(totalId(l, p), { l, p });
}

async function writeChunk(
  { stored, checkpoint, uncertain }: BuildState,
  chunk: readonly RenderedChange[],
  known: Map<string, RowHeader | undefined>,
): Promise<void> {
  const unknown = [...new Set(chunk.map(({ key }) => key))].filter((key) => !known.has(key));
  if (unknown.length > 0) {
    const found = stored.rows.find({ _id: { $in: unknown } }, { projection: KNOWN, ...IN_TIME });
    for (const row of await found.toArray()) {
      known.set(row._id, row);
      noteIfAhead({ checkpoint, uncertain }, row);
    }
  }
  const next = new Map<string, Row>();
  for (const change of chunk) {
    const before = next.get(change.key) ?? known.get(change.key);
    if (before === undefined || before.p < change.position) next.set(change.key, rowAfter(before, change));
  }
  const moved = differences(known, next);
  // Read before the rows are written: if another writer changes a total afterwards, this commit's write of the total fails.
  const totals = await loadTotals(stored, new Set([...moved.keys(), ...uncertain.keys()]));
  await replaceRows(stored, known, next);
  await replaceTotals(stored, totals, moved, uncertain);
  for (const row of next.values()) known.set(row._id, row);
}

function differences(
  known: ReadonlyMap<string, RowHeader | undefined>,
  next: ReadonlyMap<string, Row>,
): ReadonlyMap<string, number> {
  const moved = new Map<string, number>();
  const add = (row: RowHeader | undefined, by: number) => {
    for (const [list, { p }] of Object.entries(row?.l ?? {})) {
      const id = totalId(list, p);
      moved.set(id, (moved.get(id) ?? 0) + by);
    }
  };
  for (const [key, row] of next) {
    add(known.get(key), -1);
    add(row, 1);
  }
  for (const [id, by] of moved) if (by === 0) moved.delete(id);
  return moved;
}

async function replaceRows(
  { rows }: StoredBuild,
  known: ReadonlyMap<string, RowHeader | undefined>,
  next: ReadonlyMap<string, Row>,
): Promise<void> {
  await writeAll(
    rows,
    [...next.values()].map((row) => {
      const before = known.get(row._id);
      return before === undefined
        ? { insertOne: { document: row } }
        : { replaceOne: { filter: { _id: row._id, p: before.p }, replacement: row } };
    }),
  );
}

async function loadTotals(
  { totals }: StoredBuild,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Total>> {
  if (ids.size === 0) return new Map();
  const found = await totals.find({ _id: { $in: [...ids] } }, IN_TIME).toArray();
  return new Map(found.map((total) => [total._id, total]));
}

async function replaceTotals(
  stored: StoredBuild,
  totals: ReadonlyMap<string, Total>,
  moved: ReadonlyMap<string, number>,
  uncertain: Uncertain,
): Promise<void> {
  const next = new Map<string, number>();
  for (const [id, by] of moved) next.set(id, (totals.get(id)?.n ?? 0) + by);
  const counted = [...uncertain];
  for (const [id, { l, p }] of counted) next.set(id, await countListed(stored, l, p));
  await writeAll(
    stored.totals,
    [...next].map(([_id, n]) => {
      const s = totals.get(_id)?.s ?? 0;
      return s === 0
        ? { insertOne: { document: { _id, n, s: 1 } } }
        : { replaceOne: { filter: { _id, s }, replacement: { n, s: s + 1 } } };
    }),
  );
  for (const [id] of counted) uncertain.delete(id);
}

/** @throws WriteConflict if a document has changed since it was read. */
async function writeAll<Stored extends { readonly _id: string }>(
  to: {
    bulkWrite(
      operations: AnyBulkWriteOperation<Stored>[],
      options: { ordered: false },
    ): Promise<{ insertedCount: number; matchedCount: number }>;
  },
  operations: AnyBulkWriteOperation<Stored>[],
): Promise<void> {
  if (operations.length === 0) return;
  const { insertedCount, matchedCount } = await orConflict(to.bulkWrite(operations, { ordered: false }));
  if (insertedCount + matchedCount < operations.length) throw new WriteConflict();
}
