/** What queries ask of one filling of a collection. */
import type { Filter } from 'mongodb';
import type {
  Document,
  FindOptions,
  OrderOptions,
  Page,
  PageOptions,
  SearchOptions,
  StoredDocument,
  StoredEntry,
} from '../../kernel/ports/read-model.ts';
import { searchable, storable } from '../../kernel/ports/searchable-text.ts';
import { bytesOf } from './bytes.ts';
import {
  blockId,
  type Fill,
  headerId,
  type ListBlock,
  type ListHeader,
  placesInOrder,
  placesOfList,
  READ_TIME,
  RESERVED,
  type Row,
  TERMS,
  valueIn,
} from './layout.ts';
import { rankOf, type Spot, spotOf } from './list-places.ts';
import { documentsOf, loadRows } from './stored-rows.ts';

/** A page that is read while its list is written is read again so many times. */
const READINGS = 3;

const MAX_TIME = { maxTimeMS: READ_TIME } as const;

export async function load(
  { rows }: Fill,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  return documentsOf(keys, await loadRows(rows, keys, { p: 1, d: 1 }));
}

/** In the order of keys. */
export async function entries(
  { rows }: Fill,
  after: string | undefined,
  limit: number,
): Promise<readonly StoredEntry[]> {
  if (limit <= 0) return [];
  const cursor = rows.find(
    { p: { $ne: RESERVED }, ...(after === undefined ? {} : { _id: { $gt: storable(after) } }) },
    {
      projection: { p: 1, d: 1, v: 1 },
      sort: { _id: 1 },
      limit,
      batchSize: limit + 1,
      ...MAX_TIME,
    },
  );
  const found: StoredEntry[] = [];
  for await (const { _id, p, d, v } of cursor) {
    found.push({ key: _id, position: p, document: d === null ? undefined : JSON.parse(d), views: { ...v } });
  }
  return found;
}

export async function get({ rows }: Fill, key: string): Promise<Document | undefined> {
  const row = await rows.findOne({ _id: storable(key) }, { projection: { d: 1 }, ...MAX_TIME });
  return typeof row?.d === 'string' ? JSON.parse(row.d) : undefined;
}

export async function find(
  { rows }: Fill,
  index: string,
  value: string,
  { limit, newestFirst = false, after }: FindOptions,
): Promise<readonly Document[]> {
  if (limit === 0) return [];
  const place = after === undefined ? undefined : await ordinalOf(rows, after);
  if (after !== undefined && place === undefined) return [];
  const cursor = rows.find(
    {
      x: valueIn(index, storable(value)),
      ...(place === undefined ? {} : { n: newestFirst ? { $lt: place } : { $gt: place } }),
    },
    {
      projection: { _id: 0, d: 1 },
      sort: { n: newestFirst ? -1 : 1 },
      ...(limit === undefined || limit < 0 ? {} : { limit, batchSize: limit + 1 }),
      ...MAX_TIME,
    },
  );
  const found: Document[] = [];
  for await (const { d } of cursor) if (d !== null) found.push(JSON.parse(d));
  return found;
}

async function ordinalOf(rows: Fill['rows'], key: string): Promise<number | undefined> {
  const row = await rows.findOne({ _id: storable(key) }, { projection: { p: 1, n: 1 }, ...MAX_TIME });
  return row === null || row.p === RESERVED ? undefined : row.n;
}

/** One answer of the server, and with a key three at most. */
export async function ordered(
  { rows }: Fill,
  order: string,
  value: string,
  { limit, descending = false, after }: OrderOptions,
): Promise<readonly Document[]> {
  if (limit <= 0) return [];
  const { v, p } = placesInOrder(order);
  const behind = descending ? '$lt' : '$gt';
  const { place, key } = after ?? {};
  const found: Document[] = [];
  if (key !== undefined) {
    const ordinal = await ordinalOf(rows, key);
    if (ordinal === undefined) return [];
    found.push(...(await read({ [p]: storable(place ?? ''), n: { [behind]: ordinal } }, limit)));
  }
  if (found.length < limit)
    found.push(
      ...(await read(
        place === undefined ? {} : { [p]: { [behind]: storable(place) } },
        limit - found.length,
      )),
    );
  return found;

  async function read(where: Filter<Row>, most: number): Promise<readonly Document[]> {
    const direction = descending ? -1 : 1;
    const cursor = rows.find(
      { [v]: storable(value), ...where },
      {
        projection: { _id: 0, d: 1 },
        sort: { [p]: direction, n: direction },
        limit: most,
        batchSize: most + 1,
        ...MAX_TIME,
      },
    );
    const documents: Document[] = [];
    for await (const { d } of cursor) if (d !== null) documents.push(JSON.parse(d));
    return documents;
  }
}

export async function count(
  { rows }: Fill,
  index: string,
  value: string,
  most: number | undefined,
): Promise<number> {
  const bound = most === undefined ? {} : { limit: most };
  return rows.countDocuments({ x: valueIn(index, storable(value)) }, { ...bound, ...MAX_TIME });
}

/** Two or three answers of the server, wherever the page is. */
export async function page(fill: Fill, list: string, partition: string, options: PageOptions): Promise<Page> {
  const { offset, limit, after } = options;
  for (let reading = 1; ; reading += 1) {
    const { items, total } = await readPage(fill, list, storable(partition), options);
    const expected = after === undefined ? Math.max(0, Math.min(limit, total - offset)) : items.length;
    if (items.length === expected || reading === READINGS) return { items, total };
  }
}

async function readPage(
  { rows, lists }: Fill,
  list: string,
  partition: string,
  { view, offset, limit, after }: PageOptions,
): Promise<Page> {
  const header = (await lists.findOne({ _id: headerId(list, partition) }, MAX_TIME)) as ListHeader | null;
  const total = header === null ? 0 : header.next - header.missing;
  if (header === null || offset >= total || limit <= 0) return { items: [], total };
  const { p, r } = placesOfList(list);
  const ranks =
    after === undefined
      ? await ranksAt(lists, header, list, partition, offset, limit)
      : { $lt: await rankOfKey(rows, list, partition, after) };
  const cursor = rows.find(
    { [p]: partition, [r]: ranks },
    {
      projection: { _id: 0, [`v.${view}`]: 1 },
      sort: { [r]: -1 },
      skip: after === undefined ? 0 : offset,
      limit,
      batchSize: limit + 1,
      ...MAX_TIME,
    },
  );
  const items: string[] = [];
  for await (const { v } of cursor) items.push(v?.[view] ?? 'null');
  return { items, total };
}

/** Both ends, so that a server that sorts what it finds need not find the rest of the list. */
async function ranksAt(
  lists: Fill['lists'],
  header: ListHeader,
  list: string,
  partition: string,
  offset: number,
  limit: number,
) {
  const newest = spotOf(header, offset);
  const oldest = spotOf(header, Math.min(offset + limit, header.next - header.missing) - 1);
  const blocks = await bitsOf(lists, list, partition, [newest, oldest]);
  return {
    $gte: rankOf(oldest, blocks.get(oldest.block), 'lowest'),
    $lte: rankOf(newest, blocks.get(newest.block), 'highest'),
  };
}

/** Also when the document has left the partition; -1 if it never was in it. */
async function rankOfKey(rows: Fill['rows'], list: string, partition: string, key: string): Promise<number> {
  const row = await rows.findOne({ _id: storable(key) }, { projection: { p: 1, o: 1 }, ...MAX_TIME });
  const places = row === null || row.p === RESERVED ? [] : (row.o ?? []);
  return places.find(({ l, p }) => l === list && p === partition)?.r ?? -1;
}

async function bitsOf(
  lists: Fill['lists'],
  list: string,
  partition: string,
  spots: readonly Spot[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  const numbers = [...new Set(spots.filter(({ hasGaps }) => hasGaps).map(({ block }) => block))];
  if (numbers.length === 0) return found;
  const byId = new Map(numbers.map((block) => [blockId(list, partition, block), block]));
  for await (const document of lists.find({ _id: { $in: [...byId.keys()] } }, MAX_TIME)) {
    const { _id, bits } = document as ListBlock;
    found.set(byId.get(_id) ?? -1, bytesOf(bits));
  }
  return found;
}

export async function search(
  { rows }: Fill,
  list: string,
  partition: string,
  { prefix, view, offset, limit, matchLimit, after }: SearchOptions,
): Promise<Page> {
  if (matchLimit <= 0) return { items: [], total: 0 };
  const { p, r } = placesOfList(list);
  const found = await rows
    .find(
      // Bounds would be compared with different terms of one document.
      { t: { $regex: `^${literal(searchable(prefix))}` }, [p]: storable(partition) },
      {
        projection: { [r]: 1 },
        hint: TERMS,
        limit: matchLimit,
        batchSize: matchLimit + 1,
        ...MAX_TIME,
      },
    )
    .toArray();
  const rankIn = (row: (typeof found)[number]) => row.l?.[list]?.r ?? -1;
  const place =
    after === undefined ? Number.POSITIVE_INFINITY : await rankOfKey(rows, list, storable(partition), after);
  const keys = found
    .filter((row) => rankIn(row) < place)
    .toSorted((one, other) => rankIn(other) - rankIn(one))
    .slice(offset, offset + Math.max(limit, 0))
    .map(({ _id }) => _id);
  const texts = new Map<string, string>();
  if (keys.length > 0) {
    const cursor = rows.find(
      { _id: { $in: keys } },
      { projection: { [`v.${view}`]: 1 }, batchSize: keys.length + 1, ...MAX_TIME },
    );
    for await (const { _id, v } of cursor) texts.set(_id, v?.[view] ?? 'null');
  }
  return { items: keys.flatMap((key) => texts.get(key) ?? []), total: found.length };
}

/** The text as a regular expression. Escaped are only those that mean something: the server finds the prefix in it. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
