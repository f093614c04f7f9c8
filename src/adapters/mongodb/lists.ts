/** Reads totals and pages of lists in bounded steps, so that no page exceeds the server's time limit. */

import { searchable, storable } from '../../kernel/ports/collection-shape.ts';
import type { Page, PageOptions, ReadModel, SearchOptions } from '../../kernel/ports/read-model.ts';
import { IN_TIME } from './client.ts';
import { joined, listFields, type StoredBuild, TERMS } from './layout.ts';
import { inOneAnswer, type Live } from './queries.ts';

/** Index keys that the server skips per request. */
const STEP = 20_000;
/** Maximum number of rows skipped directly, where a step over keys would cost another request. */
const MAX_DROPPED = 1_000;

export function totalId(list: string, partition: string): string {
  return joined(list, partition);
}

async function readTotal({ totals }: StoredBuild, list: string, partition: string): Promise<number> {
  const found = await totals.findOne({ _id: totalId(list, partition) }, IN_TIME);
  return found?.n ?? 0;
}

export async function countListed(build: StoredBuild, list: string, partition: string): Promise<number> {
  let count = 0;
  let behind: string | undefined;
  for (;;) {
    const filter = filterOf(list, partition, behind);
    const found = await build.rows.countDocuments(filter, { limit: STEP, ...IN_TIME });
    if (found < STEP) return count + found;
    count += STEP;
    behind = await placeAfter(build, list, partition, behind, STEP);
    if (behind === undefined) return count;
  }
}

export function createListQueries(live: Live): Pick<ReadModel, 'page' | 'search'> {
  return {
    async page(collection, list, partition, options) {
      const build = await live(collection, { lists: [list], views: [options.view] });
      return readPage(build, list, storable(partition), options);
    },

    async search(collection, list, partition, options) {
      const build = await live(collection, { lists: [list], views: [options.view] });
      if (options.matchLimit <= 0 || !build.hasTerms) return { items: [], total: 0 };
      return readMatches(build, list, storable(partition), options);
    },
  };
}

async function readPage(
  build: StoredBuild,
  list: string,
  partition: string,
  { view, offset, limit, after }: PageOptions,
): Promise<Page> {
  const total = await readTotal(build, list, partition);
  if (limit <= 0 || offset >= Math.max(total, MAX_DROPPED)) return { items: [], total };
  let behind = after === undefined ? undefined : await placeOf(build, list, partition, after);
  let left = offset;
  while (left > MAX_DROPPED) {
    const step = Math.min(left, STEP);
    behind = await placeAfter(build, list, partition, behind, step);
    if (behind === undefined) return { items: [], total };
    left -= step;
  }
  const items: string[] = [];
  const rows = build.rows.find(filterOf(list, partition, behind), {
    projection: { _id: 0, [`v.${view}`]: 1 },
    sort: { [listFields(list).place]: -1 },
    skip: left,
    limit,
    batchSize: limit + 1,
    ...IN_TIME,
  });
  for await (const { v } of rows) items.push(v?.[view] ?? 'null');
  // Rows become visible before their total.
  return {
    items,
    total: after === undefined && items.length > 0 ? Math.max(total, offset + items.length) : total,
  };
}

/** Reads the ranks of all matches, but views only of the documents on the page. */
async function readMatches(
  build: StoredBuild,
  list: string,
  partition: string,
  { prefix, view, offset, limit, matchLimit, after }: SearchOptions,
): Promise<Page> {
  const fields = listFields(list);
  const found = await build.rows
    .find(
      // A range filter could match its two bounds with different terms of one document.
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

/** Rank of a document that is or was in the partition; otherwise an empty text, which sorts before all ranks. */
async function placeOf({ rows }: StoredBuild, list: string, partition: string, key: string): Promise<string> {
  const row = await rows.findOne({ _id: storable(key) }, { projection: { o: 1 }, ...IN_TIME });
  return row?.o?.find(({ l, p }) => l === list && p === partition)?.r ?? '';
}

/** Place of the row `count` rows further on; undefined if fewer rows follow. Reads only the index. */
async function placeAfter(
  { rows }: StoredBuild,
  list: string,
  partition: string,
  behind: string | undefined,
  count: number,
): Promise<string | undefined> {
  const { place } = listFields(list);
  const found = await rows.findOne(filterOf(list, partition, behind), {
    projection: { _id: 0, [place]: 1 },
    sort: { [place]: -1 },
    skip: count - 1,
    ...IN_TIME,
  });
  return found?.l?.[list]?.r;
}

function filterOf(list: string, partition: string, behind: string | undefined) {
  const fields = listFields(list);
  return { [fields.partition]: partition, ...(behind !== undefined && { [fields.place]: { $lt: behind } }) };
}

/** Escapes only special characters, so that the server can use the prefix of the regular expression. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
