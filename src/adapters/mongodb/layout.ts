/**
 * Layout of the read model in MongoDB: one document with writer, builds and checkpoints, and for each build its rows and the
 * totals of its lists.
 */
import { type Db, type Collection as DriverCollection, MongoServerError } from 'mongodb';
import type { CollectionShape } from '../../kernel/ports/collection-shape.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Generation } from '../../kernel/ports/read-model.ts';

export interface Place {
  /** Partition. */
  readonly p: string;
  /** Position of the event by which the document first entered the partition, with its key; sort key of the list. */
  readonly r: string;
}

export interface PlaceInList extends Place {
  readonly l: string;
}

/** Stored document of a collection. Empty members are omitted. */
export interface Row {
  readonly _id: string;
  /** Position of the last event that changed the row. */
  readonly p: Position;
  /** Position of the first event that wrote the row, with its key; sort key of `find`. */
  readonly n: string;
  /** JSON text, because BSON cannot represent all values; null for a tombstone. */
  readonly d: string | null;
  readonly v?: { readonly [view: string]: string };
  /** Values and sort key in each index. */
  readonly x?: { readonly [index: string]: { readonly v: readonly string[]; readonly p: string } };
  /** Search terms. */
  readonly t?: readonly string[];
  /** Current rank in each list. */
  readonly l?: { readonly [list: string]: Place };
  /** All current and earlier ranks. */
  readonly o?: readonly PlaceInList[];
}

export interface Total {
  readonly _id: string;
  readonly n: number;
  /** Number of writes of this total, so that the condition of a late write fails. */
  readonly s: number;
}

/** Set of rows and totals that one version and shape of a collection fills. */
export interface Build extends Generation {
  /** Part of the MongoDB collections' names; never reused, so that a late write reaches no other build. */
  readonly id: number;
  /** JSON of its `CollectionShape`. */
  readonly shape: string;
  readonly checkpoint: Position | null;
}

export interface Registration {
  readonly lastBuild: number;
  readonly builds: readonly Build[];
  readonly live: Generation | null;
}

/** A single document, so that one read returns consistent checkpoints, and one conditional write moves them all. */
export interface StoredState {
  readonly _id: 'state';
  readonly term: number;
  /** Number of changes of `collections`; each change is conditional on the previous number. */
  readonly seq: number;
  readonly collections: { readonly [name: string]: Registration };
  /** JSON of the writer's status report. */
  readonly status: string | null;
}

/** With a weaker concern, a failover could lose rows but retain the checkpoint. */
const OPTIONS = {
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
} as const;

export function storedStateOf(database: Db): DriverCollection<StoredState> {
  return database.collection('read_models', OPTIONS);
}

export interface StoredBuild {
  readonly name: string;
  readonly rows: DriverCollection<Row>;
  readonly totals: DriverCollection<Total>;
}

/** Names of read models contain no dot, so two builds never share a collection. */
export function storedBuild(
  database: Db,
  collection: string,
  build: Pick<Build, 'version' | 'id'>,
): StoredBuild {
  const name = `${collection}.v${build.version}.${build.id}`;
  return {
    name,
    rows: database.collection(name, OPTIONS),
    totals: database.collection(totalsName(name), OPTIONS),
  };
}

export function totalsName(build: string): string {
  return `${build}.totals`;
}

/** Parses the name of a build's collection; undefined for other collections. */
export function buildNamedIn(
  stored: string,
): { readonly build: string; readonly collection: string } | undefined {
  const [, build, collection] = /^(([A-Za-z]\w*)\.v\d+\.\d+)(?:\.totals)?$/.exec(stored) ?? [];
  return build === undefined || collection === undefined ? undefined : { build, collection };
}

const SEPARATOR = '\u001f';

/** Neither list names nor positions contain the separator. */
export function joined(name: string, value: string): string {
  return name + SEPARATOR + value;
}

export function listFields(list: string): { readonly partition: string; readonly place: string } {
  return { partition: `l.${list}.p`, place: `l.${list}.r` };
}

export function indexFields(index: string): { readonly values: string; readonly place: string } {
  return { values: `x.${index}.v`, place: `x.${index}.p` };
}

export const TERMS = { t: 1 } as const;

/** Creates missing indexes: the process that registered the build may have ended before creating all of them. */
export async function createIndexes({ rows }: StoredBuild, shape: CollectionShape): Promise<void> {
  const indexes: { readonly name: string; readonly key: { readonly [field: string]: 1 | -1 } }[] = [];
  if (shape.terms) indexes.push({ name: 'terms', key: TERMS });
  for (const index of shape.indexes) {
    const { values, place } = indexFields(index);
    indexes.push({ name: `index.${index}`, key: { [values]: 1, [place]: 1, n: 1 } });
  }
  for (const list of shape.lists) {
    const { partition, place } = listFields(list);
    indexes.push({ name: `list.${list}`, key: { [partition]: 1, [place]: -1 } });
  }
  if (indexes.length === 0) return;
  const existing = await indexNames(rows);
  const missing = indexes.filter(({ name }) => !existing.includes(name));
  if (missing.length > 0)
    await rows.createIndexes(missing.map(({ name, key }) => ({ name, key: { ...key } })));
}

const NAMESPACE_NOT_FOUND = 26;

async function indexNames(rows: StoredBuild['rows']): Promise<readonly string[]> {
  try {
    return (await rows.listIndexes().toArray()).map(({ name }) => String(name));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}
