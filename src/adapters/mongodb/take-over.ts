/**
 * Completes or undoes what a commit left unfinished. What was written of it stays; what was not keeps its ordinals and
 * ranks until the same change comes again, so that the order is the same as without the interruption. Afterwards nothing
 * that the former writer still sends changes anything: every row and list that it was about to write is written here.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import { type Fill, type Pending, type PlaceInList, RESERVED, type Row } from './layout.ts';
import type { KnownRow } from './plan-chunk.ts';
import { createStoredLists } from './stored-lists.ts';
import { KNOWN, loadRows } from './stored-rows.ts';
import { isDuplicateKey, WriteConflict } from './write-conflict.ts';

/** Late writes of a former writer can come in between; there are only so many of them. */
const TRIES = 10;

export async function settlePending(fill: Fill, pending: Pending, writer: string): Promise<void> {
  const rows = await fenceRows(fill, pending, writer);
  // From here on the rows say for good what has been written.
  const lists = createStoredLists(fill);
  const changed = pending.rows.flatMap(({ k, o }) =>
    o.map((place) => {
      const listed = rows.get(k)?.l?.[place.l];
      return { place, listed: listed?.p === place.p && listed.r === place.r, isNew: false };
    }),
  );
  await lists.write(changed, 'always');
}

async function fenceRows(
  { rows }: Fill,
  { rows: pending }: Pending,
  writer: string,
): Promise<ReadonlyMap<string, KnownRow>> {
  const keys = pending.map(({ k }) => k);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = await loadRows(rows, keys, KNOWN);
    const open = pending.filter(({ k }) => found.get(k)?.w !== writer);
    if (open.length === 0) return found;
    const operations = open.map(({ k, n, o }): AnyBulkWriteOperation<Row> => {
      const row = found.get(k);
      if (row === undefined) {
        return { insertOne: { document: { _id: k, p: RESERVED, n, o, w: writer, d: null } } };
      }
      return {
        updateOne: {
          filter: { _id: k, p: row.p, w: row.w ?? { $exists: false } },
          update: { $set: { w: writer, o: withPlaces(row.o ?? [], o) } },
        },
      };
    });
    try {
      await rows.bulkWrite(operations, { ordered: false });
    } catch (error) {
      // A late insert came first: the row is looked at again.
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new WriteConflict();
}

function withPlaces(had: readonly PlaceInList[], more: readonly PlaceInList[]): readonly PlaceInList[] {
  const isKnown = ({ l, p }: PlaceInList) => had.some((each) => each.l === l && each.p === p);
  return [...had, ...more.filter((place) => !isKnown(place))];
}
