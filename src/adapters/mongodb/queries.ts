/** Queries for documents in the rows of a build. */
import type { Filter } from 'mongodb';
import { type CollectionShape, placeBehind, storable } from '../../kernel/ports/collection-shape.ts';
import type {
  Collection,
  Document,
  EntriesOptions,
  ReadModel,
  StoredDocument,
  StoredEntry,
} from '../../kernel/ports/read-model.ts';
import { IN_TIME } from './client.ts';
import { indexFields, type Row, type StoredBuild } from './layout.ts';
import { KNOWN, type RowHeader } from './stored-row.ts';

/** Returns the live build of a collection. Rejects with `CollectionNotLive`, also if the build does not support the query. */
export type Live = (
  collection: Collection,
  needs?: Partial<CollectionShape>,
) => Promise<StoredBuild & { readonly hasTerms: boolean }>;

/** Calls `found` with each row. */
export async function load(
  { rows }: StoredBuild,
  keys: readonly string[],
  found?: (row: RowHeader) => void,
): Promise<ReadonlyMap<string, StoredDocument>> {
  const stored = await rows
    .find({ _id: { $in: keys.map(storable) } }, { projection: { ...KNOWN, d: 1 }, ...IN_TIME })
    .toArray();
  for (const row of stored) found?.(row);
  const byKey = new Map(stored.map((row) => [row._id, row]));
  return new Map(
    keys.flatMap((key) => {
      const row = byKey.get(storable(key));
      return row === undefined ? [] : [[key, { position: row.p, document: documentIn(row) }] as const];
    }),
  );
}

export async function entries(
  { rows }: StoredBuild,
  { after, limit }: Omit<EntriesOptions, 'generation'>,
): Promise<readonly StoredEntry[]> {
  if (limit <= 0) return [];
  const found = await rows
    .find(after === undefined ? {} : { _id: { $gt: storable(after) } }, {
      projection: { p: 1, d: 1, v: 1 },
      sort: { _id: 1 },
      ...inOneAnswer(limit),
    })
    .toArray();
  return found.map((row) => ({
    key: row._id,
    position: row.p,
    document: documentIn(row),
    views: { ...row.v },
  }));
}

export function createDocumentQueries(live: Live): Pick<ReadModel, 'get' | 'find' | 'count'> {
  return {
    async get(collection, key) {
      const { rows } = await live(collection);
      const row = await rows.findOne({ _id: storable(key) }, { projection: { d: 1 }, ...IN_TIME });
      return (row === null ? undefined : documentIn(row)) as never;
    },

    async find(
      collection,
      index,
      value,
      { limit = Number.POSITIVE_INFINITY, descending = false, after } = {},
    ) {
      const build = await live(collection, { indexes: [index] });
      const behind = placeBehind(after);
      const known = behind?.key === undefined ? undefined : await orderOf(build, behind.key);
      if (limit === 0 || known === null) return [];
      const { values, place } = indexFields(index);
      const [further, direction] = descending ? (['$lt', -1] as const) : (['$gt', 1] as const);
      const sort = { [place]: direction, n: direction };
      const read = (where: Filter<Row>, most: number) =>
        documents(build, { [values]: storable(value), ...where }, sort, most);
      if (behind === undefined) return (await read({}, limit)) as never;
      const at = storable(behind.place);
      const here = known === undefined ? [] : await read({ [place]: at, n: { [further]: known } }, limit);
      // An index without sort keys has no further rows.
      if (here.length >= limit || typeof after === 'string') return here as never;
      return [...here, ...(await read({ [place]: { [further]: at } }, limit - here.length))] as never;
    },

    async count(collection, index, value, most) {
      const { rows } = await live(collection, { indexes: [index] });
      const filter = { [indexFields(index).values]: storable(value) };
      return rows.countDocuments(filter, { ...(most !== undefined && { limit: most }), ...IN_TIME });
    },
  };
}

/** Null if the document never existed. */
async function orderOf({ rows }: StoredBuild, key: string): Promise<string | null> {
  const row = await rows.findOne({ _id: storable(key) }, { projection: { n: 1 }, ...IN_TIME });
  return row?.n ?? null;
}

async function documents(
  { rows }: StoredBuild,
  filter: Filter<Row>,
  sort: { readonly [field: string]: 1 | -1 },
  limit: number,
): Promise<readonly Document[]> {
  const most = Number.isFinite(limit) ? inOneAnswer(limit) : IN_TIME;
  const found = await rows
    .find(filter, { projection: { _id: 0, d: 1 }, sort: { ...sort }, ...most })
    .toArray();
  return found.map(documentIn).filter((document) => document !== undefined);
}

/** A batch larger than the limit makes the server close the cursor with the first response. */
export function inOneAnswer(limit: number) {
  return { limit, batchSize: limit + 1, ...IN_TIME };
}

function documentIn({ d }: Pick<Row, 'd'>): Document | undefined {
  return d === null ? undefined : JSON.parse(d);
}
