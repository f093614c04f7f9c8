/** The writer's view of a filling's rows: what a commit must know of them, and how it writes them. */
import type { StoredDocument } from '../../kernel/ports/read-model.ts';
import { storable } from '../../kernel/ports/searchable-text.ts';
import { type Fill, READ_TIME, type Row } from './layout.ts';
import { isReserved, type KnownRow, type PlannedRow } from './plan-chunk.ts';
import { orConflict, WriteConflict } from './write-conflict.ts';

/** What a commit needs to know. */
export const KNOWN = { p: 1, n: 1, l: 1, o: 1, w: 1 } as const;

export interface StoredRows {
  /** Spares the commit that follows the look-up. */
  load(keys: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>>;
  known(keys: Iterable<string>): Promise<Map<string, KnownRow>>;
  write(rows: readonly PlannedRow[]): Promise<void>;
}

/** Long lists of keys are asked for in parts, some at a time: a long `$in` is slow on some servers. */
const KEYS_IN_A_PART = 128;
const PARTS_AT_A_TIME = 2;

export function createStoredRows({ rows }: Pick<Fill, 'rows'>): StoredRows {
  /** What the latest `load` found, undefined for a key without a row, until it is written. */
  let loaded = new Map<string, KnownRow | undefined>();

  return {
    async load(keys) {
      loaded = new Map();
      const found = await loadRows(rows, keys, { ...KNOWN, d: 1 });
      for (const key of new Set(keys.map(storable))) {
        const row = found.get(key);
        if (row === undefined) loaded.set(key, undefined);
        else {
          const { d: _text, ...known } = row;
          loaded.set(key, known);
        }
      }
      return documentsOf(keys, found);
    },

    async known(keys) {
      const found = new Map<string, KnownRow>();
      const missing: string[] = [];
      for (const key of keys) {
        const known = loaded.get(key);
        if (known !== undefined) found.set(key, known);
        else if (!loaded.has(key)) missing.push(key);
      }
      for (const [key, row] of await loadRows(rows, missing, KNOWN)) found.set(key, row);
      return found;
    },

    async write(planned) {
      for (const { row } of planned) loaded.delete(row._id);
      const added = planned.filter(({ before }) => before === undefined).map(({ row }) => row);
      const replaced = planned.flatMap(({ before, row }) =>
        before === undefined
          ? []
          : [
              {
                replaceOne: {
                  filter: { _id: before._id, p: before.p, w: before.w ?? { $exists: false } },
                  replacement: row,
                },
              },
            ],
      );
      const [inserted, matched] = await Promise.all([
        added.length === 0
          ? 0
          : orConflict(rows.insertMany(added, { ordered: false })).then((done) => done.insertedCount),
        replaced.length === 0
          ? 0
          : rows.bulkWrite(replaced, { ordered: false }).then((done) => done.matchedCount),
      ]);
      if (inserted !== added.length || matched !== replaced.length) throw new WriteConflict();
    },
  };
}

/** By key as in the rows. */
export async function loadRows<Field extends keyof Row>(
  rows: Fill['rows'],
  keys: readonly string[],
  projection: { readonly [field in Field]: 1 },
): Promise<ReadonlyMap<string, Row>> {
  const wanted = [...new Set(keys.map(storable))];
  const found = new Map<string, Row>();
  async function loadPart(some: readonly string[]): Promise<void> {
    const cursor = rows.find(some.length === 1 ? { _id: some[0] ?? '' } : { _id: { $in: some } }, {
      projection,
      maxTimeMS: READ_TIME,
      batchSize: some.length + 1,
    });
    for await (const row of cursor) found.set(row._id, row);
  }
  const parts = Array.from({ length: Math.ceil(wanted.length / KEYS_IN_A_PART) }, (_, part) =>
    wanted.slice(part * KEYS_IN_A_PART, (part + 1) * KEYS_IN_A_PART),
  );
  for (let first = 0; first < parts.length; first += PARTS_AT_A_TIME) {
    await Promise.all(parts.slice(first, first + PARTS_AT_A_TIME).map(loadPart));
  }
  return found;
}

export function documentsOf(
  keys: readonly string[],
  found: ReadonlyMap<string, Row>,
): ReadonlyMap<string, StoredDocument> {
  const documents = new Map<string, StoredDocument>();
  for (const key of keys) {
    const row = found.get(storable(key));
    if (row === undefined || isReserved(row)) continue;
    documents.set(key, { position: row.p, document: row.d === null ? undefined : JSON.parse(row.d) });
  }
  return documents;
}
