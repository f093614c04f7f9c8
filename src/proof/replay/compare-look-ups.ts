/**
 * Compares how documents are found: the pages of ranked lists, and what indexes give. A document may be right in
 * itself and still be missing from its list. Names of partitions and values are kept in memory, so there is a limit to how many.
 */
import { placed } from '../../kernel/ports/collection-shape.ts';
import type { Document } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';
import type { LookUps } from './read-models-read.ts';

/** Lists of one kind, or values of one index, that are compared; further ones are not. */
const MOST_NAMES = 1_000;
/** Documents of one list that are compared at a time: each further page may skip all before it. */
const PAGE = 1_000;
/** Documents under one value of an index that are compared; all are counted. */
const FOUND = 100;

export interface LookUpDifference {
  /** `list <name>` or `index <name>`. */
  readonly part: string;
  /** The partition, or the value. */
  readonly name: string;
  readonly log: Document;
  readonly readModel: Document;
}

/** The names under which the documents of one projection are found. */
export interface LookedUpNames {
  add(document: Document): void;
  readonly lists: ReadonlyMap<string, ReadonlySet<string>>;
  readonly indexes: ReadonlyMap<string, ReadonlySet<string>>;
}

export function namesIn({ lists = {}, indexes = {} }: Projection): LookedUpNames {
  // What is in no partition by the log may be in the one that lists without parts have.
  const listed = new Map(Object.keys(lists).map((list) => [list, new Set([''])]));
  const indexed = new Map(Object.keys(indexes).map((index) => [index, new Set<string>()]));
  return {
    lists: listed,
    indexes: indexed,
    add(document) {
      for (const [list, names] of listed) {
        const partition = lists[list]?.(document);
        if (partition !== undefined && names.size < MOST_NAMES) names.add(partition);
      }
      for (const [index, names] of indexed)
        for (const value of valuesIn(indexes[index], document)) if (names.size < MOST_NAMES) names.add(value);
    },
  };
}

/** None for a document that is damaged: that it differs is told anyway. */
function valuesIn(
  index: NonNullable<Projection['indexes']>[string] | undefined,
  document: Document,
): readonly string[] {
  try {
    return placed(index?.(document) ?? []).values;
  } catch {
    return [];
  }
}

/** Resolves with how many look-ups were compared. Both sides must stand still meanwhile. */
export async function compareLookUps(options: {
  readonly projection: Projection;
  readonly names: LookedUpNames;
  /** Look-ups of the documents that the log gives. */
  readonly made: LookUps;
  readonly read: LookUps;
  readonly found: (difference: LookUpDifference) => Promise<void>;
}): Promise<number> {
  const { projection, names, made, read, found } = options;
  const [view] = Object.keys(projection.views ?? {});
  let compared = 0;
  for (const [list, partitions] of view === undefined ? [] : names.lists) {
    for (const name of partitions) {
      compared += 1;
      const difference = await pagesDiffer([made, read], { projection, list, name, view: view as string });
      if (difference !== undefined) await found({ part: `list ${list}`, name, ...difference });
    }
  }
  for (const [index, values] of names.indexes) {
    for (const name of values) {
      compared += 1;
      const [log, readModel] = await both([made, read], (side) => foundBy(side, projection, index, name));
      if (log !== readModel) {
        const [expected, actual] = [JSON.parse(log) as Document, JSON.parse(readModel) as Document];
        await found({ part: `index ${index}`, name, log: expected, readModel: actual });
      }
    }
  }
  return compared;
}

type Sides = readonly [LookUps, LookUps];

async function both<Result>(
  [one, other]: Sides,
  look: (side: LookUps) => Promise<Result>,
): Promise<readonly [Result, Result]> {
  return [await look(one), await look(other)];
}

/** The first place at which they differ. */
async function pagesDiffer(
  sides: Sides,
  place: {
    readonly projection: Projection;
    readonly list: string;
    readonly name: string;
    readonly view: string;
  },
): Promise<Pick<LookUpDifference, 'log' | 'readModel'> | undefined> {
  const { projection, list, name, view } = place;
  for (let offset = 0; ; offset += PAGE) {
    const [made, read] = await both(sides, (side) =>
      side.page(projection, list, name, { view, offset, limit: PAGE }),
    );
    const isSame = made.total === read.total && made.items.every((item, at) => item === read.items[at]);
    if (!isSame) {
      const differing = made.items.findIndex((item, at) => item !== read.items[at]);
      const at = differing === -1 ? made.items.length : differing;
      const shown = (item: string | undefined, total: number): Document => ({
        total,
        place: offset + at,
        item: item === undefined ? null : (JSON.parse(item) as Document),
      });
      return { log: shown(made.items[at], made.total), readModel: shown(read.items[at], read.total) };
    }
    if (made.items.length < PAGE) return undefined;
  }
}

async function foundBy(side: LookUps, projection: Projection, index: string, name: string): Promise<string> {
  const count = await side.count(projection, index, name);
  const first = await side.find(projection, index, name, { limit: FOUND });
  return JSON.stringify({ count, first });
}
