/** Entries of an order: the value and the place in one text, which the table keeps sorted. */
import type { Document, Ordered, OrderOptions } from '../../kernel/ports/read-model.ts';
import { storable } from '../../kernel/ports/searchable-text.ts';
import { endOfPrefix } from './collection-queries.ts';
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';

/** Before and behind all ordinals. */
const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

export function placedValues(ordered: Ordered | undefined): readonly string[] {
  return ordered?.values.map((value) => placed(value, ordered.place)) ?? [];
}

export function findOrdered(
  database: SqliteDatabase,
  { documents, order }: Pick<CollectionTables, 'documents' | 'order'>,
  name: string,
  value: string,
  { limit, descending = false, after }: OrderOptions,
): readonly Document[] {
  const start = after === undefined ? undefined : startBehind(after);
  if (after?.key !== undefined && start === undefined) return [];
  const [from, to] = [placed(value, ''), endOfPrefix(placed(value, '')) ?? ''];
  const found = database.statement<[string]>(
    `SELECT d.document FROM ${order(name)} o CROSS JOIN ${documents} d ON d.ordinal = o.ordinal
     WHERE (o.value, o.ordinal) ${descending ? '<' : '>'} (?, ?) AND o.value ${descending ? '>= ?' : '< ?'}
     ORDER BY o.value ${descending ? 'DESC' : 'ASC'}, o.ordinal ${descending ? 'DESC' : 'ASC'} LIMIT ?`,
  );
  const begin = start ?? [descending ? to : from, FIRST];
  return found.rows(...begin, descending ? from : to, limit).map(([document]) => JSON.parse(document));

  function startBehind({ place, key }: NonNullable<OrderOptions['after']>) {
    if (key === undefined) return [placed(value, place), descending ? FIRST : LAST] as const;
    const ordinalOf = database.statement<[number]>(`SELECT ordinal FROM ${documents} WHERE key = ?`);
    const [ordinal] = ordinalOf.row(storable(key)) ?? [];
    return ordinal === undefined ? undefined : ([placed(value, place), ordinal] as const);
  }
}

/** The length says where the value ends: none begins another. */
function placed(value: string, place: string): string {
  const text = storable(value);
  return `${text.length}:${text}${storable(place)}`;
}
