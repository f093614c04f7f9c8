/** Answers queries about documents from the rows of a build. */
import type { Filter } from 'mongodb';
import type { CollectionShape } from '../../kernel/ports/collection-shape.ts';
import type {
  Collection,
  Document,
  EntriesOptions,
  ReadModel,
  StoredDocument,
  StoredEntry,
} from '../../kernel/ports/read-model.ts';
import { storable } from '../../kernel/ports/searchable-text.ts';
import { IN_TIME } from './client.ts';
import { joined, orderFields, type Row, type StoredBuild } from './layout.ts';
import { KNOWN, type KnownRow } from './stored-row.ts';

/** The live build of a collection. Rejects with `CollectionNotLive`, also when the build does not support the query. */
export type Live = (
  collection: Collection,
  needs?: Partial<CollectionShape>,
) => Promise<StoredBuild & { readonly hasTerms: boolean }>;

/** `found` gets each row. */
export async function load(
  { rows }: StoredBuild,
  keys: readonly string[],
  found?: (row: KnownRow) => void,
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

export function createDocumentQueries(live: Live): Pick<ReadModel, 'get' | 'find' | 'count' | 'ordered'> {
  return {
    async get(collection, key) {
      const { rows } = await live(collection);
      const row = await rows.findOne({ _id: storable(key) }, { projection: { d: 1 }, ...IN_TIME });
      return (row === null ? undefined : documentIn(row)) as never;
    },

    async find(collection, index, value, { limit, newestFirst = false, after } = {}) {
      const build = await live(collection, { indexes: [index] });
      const behind = after === undefined ? undefined : await orderOf(build, after);
      if (limit === 0 || behind === null) return [];
      const where = behind === undefined ? {} : { n: { [newestFirst ? '$lt' : '$gt']: behind } };
      const sort = { n: newestFirst ? -1 : 1 } as const;
      return (await documents(build, { x: joined(index, storable(value)), ...where }, sort, limit)) as never;
    },

    async count(collection, index, value, most) {
      const { rows } = await live(collection, { indexes: [index] });
      const limit = most === undefined ? {} : { limit: most };
      return rows.countDocuments({ x: joined(index, storable(value)) }, { ...limit, ...IN_TIME });
    },

    async ordered(collection, order, value, { limit, descending = false, after }) {
      const build = await live(collection, { orders: [order] });
      const known = after?.key === undefined ? undefined : await orderOf(build, after.key);
      if (limit <= 0 || known === null) return [];
      const fields = orderFields(order);
      const [behind, direction] = descending ? (['$lt', -1] as const) : (['$gt', 1] as const);
      const sort = { [fields.place]: direction, n: direction };
      const read = (where: Filter<Row>, most: number) =>
        documents(build, { [fields.values]: storable(value), ...where }, sort, most);
      if (after === undefined) return (await read({}, limit)) as never;
      const place = storable(after.place);
      const here =
        known === undefined ? [] : await read({ [fields.place]: place, n: { [behind]: known } }, limit);
      const left = limit - here.length;
      const further = left === 0 ? [] : await read({ [fields.place]: { [behind]: place } }, left);
      return [...here, ...further] as never;
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
  limit: number | undefined,
): Promise<readonly Document[]> {
  const most = limit === undefined || limit < 0 ? IN_TIME : inOneAnswer(limit);
  const found = await rows
    .find(filter, { projection: { _id: 0, d: 1 }, sort: { ...sort }, ...most })
    .toArray();
  return found.map(documentIn).filter((document) => document !== undefined);
}

/** A batch that is larger than the limit closes the cursor. */
export function inOneAnswer(limit: number) {
  return { limit, batchSize: limit + 1, ...IN_TIME };
}

function documentIn({ d }: Pick<Row, 'd'>): Document | undefined {
  return d === null ? undefined : JSON.parse(d);
}
