/** What a few changes make of the stored rows and lists. Pure, but for the ranks that it hands out. */
import { type PendingRow, type Place, type PlaceInList, RESERVED, type Row } from './layout.ts';
import type { RenderedChange } from './render-change.ts';
import type { ChangedPlace, Partition, StoredLists } from './stored-lists.ts';

/** What a commit needs to know of a row. */
export type KnownRow = Pick<Row, '_id' | 'p' | 'n' | 'l' | 'o' | 'w'>;

/** What the next chunk of the same commit needs to know of a row that this one has written. */
export function knownOf({ _id, p, n, l, o }: Row): KnownRow {
  return { _id, p, n, ...(l === undefined ? {} : { l }), ...(o === undefined ? {} : { o }) };
}

export interface PlannedRow {
  /** Undefined: it is new. */
  readonly before: KnownRow | undefined;
  readonly row: Row;
}

export interface Plan {
  readonly rows: readonly PlannedRow[];
  readonly places: readonly ChangedPlace[];
  readonly pending: readonly PendingRow[];
  /** The next free ordinal. */
  readonly next: number;
}

/** The changes that are later than what is stored, each later than those before it of the same document. */
export function laterChanges(
  changes: readonly RenderedChange[],
  known: ReadonlyMap<string, KnownRow>,
): readonly RenderedChange[] {
  const last = new Map<string, string>();
  return changes.filter(({ key, position }) => {
    const before = last.get(key) ?? known.get(key)?.p;
    if (before !== undefined && before >= position) return false;
    last.set(key, position);
    return true;
  });
}

/** Those that documents may enter, or leave. */
export function partitionsOf(
  changes: readonly RenderedChange[],
  known: ReadonlyMap<string, KnownRow>,
): readonly Partition[] {
  const found: Partition[] = [];
  const now = new Map<string, string | undefined>();
  for (const { key, partitions } of changes) {
    for (const [list, partition] of partitions) {
      const id = `${list} ${key}`;
      const was = now.has(id) ? now.get(id) : known.get(key)?.l?.[list]?.p;
      if (was === partition) continue;
      now.set(id, partition);
      for (const each of [was, partition]) if (each !== undefined) found.push({ list, partition: each });
    }
  }
  return found;
}

interface Draft {
  readonly before: KnownRow | undefined;
  readonly n: number;
  readonly listed: Map<string, Place>;
  readonly places: PlaceInList[];
  /** New ones, and those that it left or came back to. */
  readonly changed: Map<PlaceInList, { readonly isNew: boolean }>;
  change: RenderedChange;
}

/** `changes` are later than what is stored, and the lists know the partitions. */
export function planChunk(
  changes: readonly RenderedChange[],
  known: ReadonlyMap<string, KnownRow>,
  lists: Pick<StoredLists, 'nextRank'>,
  firstOrdinal: number,
): Plan {
  let next = firstOrdinal;
  const drafts = new Map<string, Draft>();

  function draftOf(change: RenderedChange): Draft {
    const started = drafts.get(change.key);
    if (started !== undefined) {
      started.change = change;
      return started;
    }
    const before = known.get(change.key);
    const n = before?.n ?? next++;
    const listed = new Map(Object.entries(before?.l ?? {}));
    const draft = { before, n, listed, places: [...(before?.o ?? [])], changed: new Map(), change };
    drafts.set(change.key, draft);
    return draft;
  }

  for (const change of changes) {
    const draft = draftOf(change);
    for (const [list, partition] of change.partitions) {
      const was = draft.listed.get(list);
      if (was?.p === partition) continue;
      if (was !== undefined) {
        draft.listed.delete(list);
        const left = draft.places.find(({ l, p }) => l === list && p === was.p);
        if (left !== undefined && !draft.changed.has(left)) draft.changed.set(left, { isNew: false });
      }
      if (partition === undefined) continue;
      let place = draft.places.find(({ l, p }) => l === list && p === partition);
      if (place === undefined) {
        place = { l: list, p: partition, r: lists.nextRank(list, partition) };
        draft.places.push(place);
        draft.changed.set(place, { isNew: true });
      } else if (!draft.changed.has(place)) draft.changed.set(place, { isNew: false });
      draft.listed.set(list, { p: place.p, r: place.r });
    }
  }

  const planned = [...drafts.values()];
  return {
    rows: planned.map((draft) => ({ before: draft.before, row: rowOf(draft) })),
    places: planned.flatMap(({ changed, listed }) =>
      [...changed].map(([place, { isNew }]) => ({
        place,
        isNew,
        listed: listed.get(place.l)?.p === place.p,
      })),
    ),
    pending: planned.map(({ change, n, changed }) => ({ k: change.key, n, o: [...changed.keys()] })),
    next,
  };
}

/** Empty fields would only take room. */
function rowOf({ change, n, listed, places }: Draft): Row {
  const { key, position, text, views, values, orders, terms } = change;
  return {
    _id: key,
    p: position,
    n,
    ...(Object.keys(views).length > 0 ? { v: views } : {}),
    ...(values.length > 0 ? { x: values } : {}),
    ...(Object.keys(orders).length > 0 ? { s: orders } : {}),
    ...(terms.length > 0 ? { t: terms } : {}),
    ...(listed.size > 0 ? { l: Object.fromEntries(listed) } : {}),
    ...(places.length > 0 ? { o: places } : {}),
    d: text,
  };
}

export function isReserved({ p }: Pick<Row, 'p'>): boolean {
  return p === RESERVED;
}
