/** Renders changes as rows. `render` is the only function that throws errors of a definition's functions. */
import { Buffer } from 'node:buffer';
import { placed, searchable, storable } from '../../kernel/ports/collection-shape.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Collection, Document, DocumentChange } from '../../kernel/ports/read-model.ts';
import { joined, type Place, type Row } from './layout.ts';

export interface RenderedChange {
  readonly key: string;
  readonly position: Position;
  readonly content: Pick<Row, 'd' | 'v' | 'x' | 't'>;
  /** Partition in a list of the definition; undefined if the document is not listed there, or is deleted. */
  readonly partitionIn: (list: string) => string | undefined;
  readonly lists: readonly string[];
}

/** Members of a stored row that determine the next one. */
export type RowHeader = Pick<Row, '_id' | 'p' | 'n' | 'l' | 'o'>;
export const KNOWN = { p: 1, n: 1, l: 1, o: 1 } as const;

/** Maximum bytes of a document's content. MongoDB's limit is 16 MiB, including keys, ranks and field names. */
const MAX_BYTES = 15 * 1_048_576;

/** @throws RangeError if the document is too large for the server, and errors of the definition's functions. */
export function render(definition: Collection, { key, position, document }: DocumentChange): RenderedChange {
  const { lists = {} } = definition;
  const content = document === undefined ? { d: null } : contentOf(definition, document);
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes > MAX_BYTES) {
    throw new RangeError(
      `the document "${key}" of "${definition.name}" has ${bytes} bytes; the maximum is ${MAX_BYTES}`,
    );
  }
  const partitions = new Map(
    Object.entries(lists).map(([list, partitionOf]) => [list, document && partitionOf(document)]),
  );
  return {
    key: storable(key),
    position,
    content,
    lists: [...partitions.keys()],
    partitionIn: (list) => partitions.get(list),
  };
}

function contentOf(
  { indexes = {}, terms, views = {} }: Collection,
  document: Document,
): RenderedChange['content'] {
  const v = Object.fromEntries(
    Object.entries(views).map(([name, view]) => [name, JSON.stringify(view(document))]),
  );
  const found = Object.entries(indexes).map(([name, index]) => [name, placed(index(document))] as const);
  const x = Object.fromEntries(
    found
      .filter(([, { values }]) => values.length > 0)
      .map(([name, { values, place }]) => [name, { v: unique(values.map(storable)), p: storable(place) }]),
  );
  const t = terms?.(document).map(searchable) ?? [];
  return {
    d: JSON.stringify(document),
    ...(Object.keys(v).length > 0 && { v }),
    ...(Object.keys(x).length > 0 && { x }),
    ...(t.length > 0 && { t: unique(t) }),
  };
}

/** Row after the change; depends only on the row before and the change, regardless of the writer. */
export function rowAfter(
  before: RowHeader | undefined,
  { key, position, content, lists, partitionIn }: RenderedChange,
): Row {
  const order = joined(position, key);
  const places = [...(before?.o ?? [])];
  // A definition may lack a list of an older build: the document retains its rank there until it is deleted.
  const listed: { [list: string]: Place } =
    content.d === null
      ? {}
      : Object.fromEntries(Object.entries(before?.l ?? {}).filter(([list]) => !lists.includes(list)));
  for (const list of lists) {
    const entered = partitionIn(list);
    if (entered === undefined) continue;
    const p = storable(entered);
    let place = places.find((each) => each.l === list && each.p === p);
    if (place === undefined) {
      place = { l: list, p, r: order };
      places.push(place);
    }
    listed[list] = { p, r: place.r };
  }
  return {
    _id: key,
    p: position,
    n: before?.n ?? order,
    ...content,
    ...(Object.keys(listed).length > 0 && { l: listed }),
    ...(places.length > 0 && { o: places }),
  };
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
