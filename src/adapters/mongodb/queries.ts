/** Answers queries from the rows of one build. */
import type { Filter } from 'mongodb';
import type {
  Document,
  EntriesOptions,
  FindOptions,
  OrderOptions,
  Page,
  SearchOptions,
  StoredDocument,
  StoredEntry,
} from '../../kernel/ports/read-model.ts';
import { searchable, storable } from '../../kernel/ports/searchable-text.ts';
import { IN_TIME } from './client.ts';
import { joined, listFields, orderFields, type Row, type StoredBuild, TERMS } from './layout.ts';
import { placeOf } from './lists.ts';

export async function load(
  { rows }: StoredBuild,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const found = await rows
    .find({ _id: { $in: keys.map(storable) } }, { projection: { p: 1, d: 1 }, ...IN_TIME })
    .toArray();
  const byKey = new Map(found.map((row) => [row._id, row]));
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

export async function get({ rows }: StoredBuild, key: string): Promise<Document | undefined> {
  const row = await rows.findOne({ _id: storable(key) }, { projection: { d: 1 }, ...IN_TIME });
  return row === null ? undefined : documentIn(row);
}

export async function find(
  build: StoredBuild,
  index: string,
  value: string,
  { limit, newestFirst = false, after }: FindOptions,
): Promise<readonly Document[]> {
  const behind = after === undefined ? undefined : await orderOf(build, after);
  if (limit === 0 || behind === null) return [];
  return documents(
    build,
    {
      x: joined(index, storable(value)),
      ...(behind !== undefined && { n: { [newestFirst ? '$lt' : '$gt']: behind } }),
    },
    { n: newestFirst ? -1 : 1 },
    limit,
  );
}

export async function count(
  { rows }: StoredBuild,
  index: string,
  value: string,
  most: number | undefined,
): Promise<number> {
  const limit = most === undefined ? {} : { limit: most };
  return rows.countDocuments({ x: joined(index, storable(value)) }, { ...limit, ...IN_TIME });
}

export async function ordered(
  build: StoredBuild,
  order: string,
  value: string,
  { limit, descending = false, after }: OrderOptions,
): Promise<readonly Document[]> {
  const known = after?.key === undefined ? undefined : await orderOf(build, after.key);
  if (limit <= 0 || known === null) return [];
  const fields = orderFields(order);
  const [behind, direction] = descending ? (['$lt', -1] as const) : (['$gt', 1] as const);
  const read = (where: Filter<Row>, most: number) =>
    documents(
      build,
      { [fields.values]: storable(value), ...where },
      { [fields.place]: direction, n: direction },
      most,
    );
  if (after === undefined) return read({}, limit);
  const place = storable(after.place);
  const here =
    known === undefined ? [] : await read({ [fields.place]: place, n: { [behind]: known } }, limit);
  if (here.length === limit) return here;
  return [...here, ...(await read({ [fields.place]: { [behind]: place } }, limit - here.length))];
}

/** The places of all matches are read, and the views of those on the page alone. */
export async function search(
  build: StoredBuild,
  list: string,
  partition: string,
  { prefix, view, offset, limit, matchLimit, after }: SearchOptions,
): Promise<Page> {
  if (matchLimit <= 0) return { items: [], total: 0 };
  const fields = listFields(list);
  const found = await build.rows
    .find(
      // Bounds would be compared with different terms of one document.
      { t: { $regex: `^${escaped(searchable(prefix))}` }, [fields.partition]: partition },
      { projection: { [fields.place]: 1 }, hint: TERMS, ...inOneAnswer(matchLimit) },
    )
    .toArray();
  const behind = after === undefined ? undefined : await placeOf(build, list, partition, after);
  const keys = found
    .map(({ _id, l }) => ({ _id, place: l?.[list]?.r ?? '' }))
    .filter(({ place }) => behind === undefined || place < behind)
    .toSorted((one, other) => (one.place < other.place ? 1 : -1))
    .slice(offset, offset + Math.max(limit, 0))
    .map(({ _id }) => _id);
  if (keys.length === 0) return { items: [], total: found.length };
  const rows = await build.rows
    .find(
      { _id: { $in: keys } },
      { projection: { [`v.${view}`]: 1 }, batchSize: keys.length + 1, ...IN_TIME },
    )
    .toArray();
  const texts = new Map(rows.map(({ _id, v }) => [_id, v?.[view] ?? 'null']));
  return { items: keys.flatMap((key) => texts.get(key) ?? []), total: found.length };
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
function inOneAnswer(limit: number) {
  return { limit, batchSize: limit + 1, ...IN_TIME };
}

function documentIn({ d }: Pick<Row, 'd'>): Document | undefined {
  return d === null ? undefined : JSON.parse(d);
}

/** The text as a regular expression. Only special characters are escaped, so the server finds the prefix in it. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
