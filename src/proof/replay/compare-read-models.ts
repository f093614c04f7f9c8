/** Compares read models with the log, document by document. Folds the log into a scratch read model and writes nothing else. */

import { placed, storable } from '../../kernel/ports/collection-shape.ts';
import { type LogExtent, type Position, START } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import type { Document, ReadModel, StoredDocument, StoredEntry } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import { buildReadModels } from './build-read-models.ts';
import { type ComparedEntry, differenceOf, type ReadModelDifference } from './document-difference.ts';
import { allEntries, type LookUps, type ServedDocuments, type ServedReadModels } from './served-documents.ts';

interface ComparedCollection {
  readonly collection: string;
  readonly version: number;
  /** Checkpoint of the read model, up to which the log was folded for the comparison. */
  readonly position: Position;
  readonly documents: number;
  /** Number of compared lists and index values; 0 if documents differ, or if the read model changed during the comparison. */
  readonly lookUps: number;
  readonly differences: number;
}

interface NotCompared {
  readonly collection: string;
  readonly reason: string;
}

export interface Comparison {
  /** End of the log. */
  readonly head: Position;
  readonly compared: readonly ComparedCollection[];
  readonly notCompared: readonly NotCompared[];
  readonly differences: number;
}

type ComparisonProgress =
  | { readonly phase: 'log'; readonly done: LogExtent; readonly of: LogExtent }
  | { readonly phase: 'documents'; readonly documents: number };

export interface CompareOptions {
  readonly projections: readonly Projection[];
  readonly log: LogReader;
  readonly reader: Pick<EventReader, 'read'>;
  /** The read models compared with the log. */
  readonly readModels: ServedReadModels;
  /** Empty store into which the log is folded. */
  readonly scratch: ReadModel;
  /** Called with each difference as soon as it is found. */
  readonly found: (difference: ReadModelDifference) => void | Promise<void>;
  readonly progress?: ((progress: ComparisonProgress) => void) | undefined;
}

interface Subject extends ServedDocuments {
  readonly projection: Projection;
  documents: number;
  lookUps: number;
  differences: number;
  readonly names: ReturnType<typeof namesIn>;
  /** Documents that include events after the checkpoint. */
  readonly ahead: StoredEntry[];
}

/** Rejects if the log or the read models cannot be read, and with `EventUndecodable` in the same cases as `buildReadModels`. */
export async function compareReadModels(options: CompareOptions): Promise<Comparison> {
  const { log, scratch, projections } = options;
  const { subjects, notCompared } = await subjectsOf(options);
  // Read after the checkpoints, so that the head is at or after every checkpoint of this log.
  const head = await log.head();
  const compared = subjects.filter((subject) => {
    if (subject.checkpoint <= head) return true;
    notCompared.push({
      collection: subject.projection.name,
      reason: `its checkpoint ${subject.checkpoint} is after the end of the log, ${head === START ? 'which is empty' : head}: it was built from another log, or from a longer copy of this one`,
    });
    return false;
  });
  await scratch.prepare(projections);
  const checkpointOf = (projection: Projection) =>
    compared.find((subject) => subject.projection === projection)?.checkpoint ?? START;
  await buildReadModels({
    ...options,
    readModel: scratch,
    projections: compared.map(({ projection }) => projection),
    until: checkpointOf,
    reached: (position) =>
      options.progress?.({ phase: 'log', done: log.extentOf(position), of: log.extentOf(head) }),
  });
  let documents = 0;
  for (const subject of compared) {
    await compareOne(options, subject, () => {
      documents += 1;
      options.progress?.({ phase: 'documents', documents });
    });
  }
  for (const subject of compared) await compareFinding(options, subject);
  await compareAhead(options, compared);
  return {
    head,
    compared: compared.map(({ projection, checkpoint, documents: count, lookUps, differences }) => ({
      collection: projection.name,
      version: projection.version,
      position: checkpoint,
      documents: count,
      lookUps,
      differences,
    })),
    notCompared,
    differences: compared.reduce((sum, { differences }) => sum + differences, 0),
  };
}

async function subjectsOf({ projections, readModels }: CompareOptions) {
  const subjects: Subject[] = [];
  const notCompared: NotCompared[] = [];
  for (const projection of projections) {
    const { name: collection, version } = projection;
    const served = await readModels.served(projection);
    if (served === undefined) {
      notCompared.push({ collection, reason: 'it is not built yet' });
    } else if (served.generation.version !== version) {
      const reason = `queries read version ${served.generation.version}, but this release builds version ${version}`;
      notCompared.push({ collection, reason });
    } else {
      subjects.push({
        ...served,
        projection,
        documents: 0,
        lookUps: 0,
        differences: 0,
        names: namesIn(projection),
        ahead: [],
      });
    }
  }
  return { subjects, notCompared };
}

/** Merges both in key order. Documents are never deleted, so each document of the log must be in the read model. */
async function compareOne(options: CompareOptions, subject: Subject, compared: () => void): Promise<void> {
  const { projection, generation } = subject;
  const made = allEntries(options.scratch, projection, await options.scratch.own(projection));
  const read = allEntries(options.readModels, projection, generation);
  let [expected, actual] = [await made.next(), await read.next()];
  while (!expected.done || !actual.done) {
    const order = expected.done ? 1 : actual.done ? -1 : orderOf(expected.value.key, actual.value.key);
    const log = order <= 0 && !expected.done ? expected.value : undefined;
    const readModel = order >= 0 && !actual.done ? actual.value : undefined;
    if (readModel !== undefined && readModel.position > subject.checkpoint) subject.ahead.push(readModel);
    else await judge(options, subject, { log, readModel });
    if (readModel !== undefined) subject.documents += 1;
    for (const entry of [log, readModel])
      if (entry?.document !== undefined) subject.names.add(entry.document);
    compared();
    if (log !== undefined) expected = await made.next();
    if (readModel !== undefined) actual = await read.next();
  }
}

/** Compares lists and indexes. Requires a stopped service: a running one changes its lists between two reads. */
async function compareFinding(options: CompareOptions, subject: Subject): Promise<void> {
  const { scratch, readModels, found } = options;
  const { projection, checkpoint, names } = subject;
  const { lookUps } = readModels;
  const hasMoved = async () => (await readModels.served(projection))?.checkpoint !== checkpoint;
  // If documents differ, their indexes differ for the same reason.
  const isSound = subject.differences === 0 && subject.ahead.length === 0;
  if (lookUps === undefined || !isSound || (await hasMoved())) return;
  await scratch.goLive(projection);
  const different: ReadModelDifference[] = [];
  const compared = await compareLookUps({
    projection,
    names,
    made: scratch,
    read: lookUps,
    found: async ({ part, name, log, readModel }) => {
      const entryOf = (document: Document): ComparedEntry => ({ position: checkpoint, document, views: {} });
      different.push({
        kind: 'differs',
        collection: projection.name,
        key: name,
        parts: [part],
        log: entryOf(log),
        readModel: entryOf(readModel),
      });
    },
  });
  if (await hasMoved()) return;
  subject.lookUps = compared;
  subject.differences += different.length;
  for (const difference of different) await found(difference);
}

/** Continues folding from the checkpoints, and compares each remaining document with the log at the document's own position. */
async function compareAhead(options: CompareOptions, subjects: readonly Subject[]): Promise<void> {
  const { log, scratch } = options;
  const behind = subjects.filter(({ ahead }) => ahead.length > 0);
  if (behind.length === 0) return;
  const open = new Map<Position, { readonly subject: Subject; readonly entry: StoredEntry }[]>();
  for (const subject of behind) {
    for (const entry of subject.ahead.splice(0)) {
      const others = open.get(entry.position);
      if (others === undefined) open.set(entry.position, [{ subject, entry }]);
      else others.push({ subject, entry });
    }
  }
  async function judgeAt(position: Position): Promise<void> {
    for (const { subject, entry } of open.get(position) ?? []) {
      const { projection } = subject;
      const stored = (await scratch.load(projection, [entry.key])).get(entry.key);
      await judge(options, subject, {
        log: stored && entryOf(projection, entry.key, stored),
        readModel: entry,
      });
    }
    open.delete(position);
  }
  const head = await log.head();
  await buildReadModels({
    ...options,
    readModel: scratch,
    projections: behind.map(({ projection }) => projection),
    until: () => head,
    stops: { positions: new Set(open.keys()), stop: judgeAt },
  });
  // Positions that no event of the log has.
  for (const position of [...open.keys()].sort()) await judgeAt(position);
}

async function judge(
  { found }: CompareOptions,
  subject: Subject,
  { log, readModel }: { readonly log: StoredEntry | undefined; readonly readModel: StoredEntry | undefined },
): Promise<void> {
  const difference = differenceOf(subject.projection, log, readModel);
  if (difference === undefined) return;
  subject.differences += 1;
  await found(difference);
}

function entryOf(projection: Projection, key: string, { position, document }: StoredDocument): StoredEntry {
  const views = Object.entries(projection.views ?? {});
  return {
    key: storable(key),
    position,
    document,
    views: document
      ? Object.fromEntries(views.map(([name, view]) => [name, JSON.stringify(view(document))]))
      : {},
  };
}

function orderOf(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Maximum number of partitions per list, and of values per index, that are compared; their names are in memory. */
const MAX_NAMES = 1_000;
/** List entries per page. Large, because each further page may have to skip all before it. */
const PAGE = 1_000;
/** Maximum number of documents compared per index value; their number is compared as well. */
const FOUND = 100;

interface LookUpDifference {
  /** `list <name>` or `index <name>`. */
  readonly part: string;
  /** Partition of the list, or value of the index. */
  readonly name: string;
  readonly log: Document;
  readonly readModel: Document;
}

/** Partitions and index values of the documents of one projection. */
function namesIn({ lists = {}, indexes = {} }: Projection) {
  // Include the empty partition: the read model may wrongly list a document there.
  const listed = new Map(Object.keys(lists).map((list) => [list, new Set([''])]));
  const indexed = new Map(Object.keys(indexes).map((index) => [index, new Set<string>()]));
  return {
    lists: listed,
    indexes: indexed,
    add(document: Document): void {
      for (const [list, names] of listed) {
        const partition = lists[list]?.(document);
        if (partition !== undefined && names.size < MAX_NAMES) names.add(partition);
      }
      for (const [index, names] of indexed)
        for (const value of valuesIn(indexes[index], document)) if (names.size < MAX_NAMES) names.add(value);
    },
  };
}

/** Empty for a damaged document, whose difference is already reported. */
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

/**
 * Compares the pages of ranked lists, and the documents under index values: a correct document may still be missing from its
 * list. Resolves with the number of compared lookups. Neither side may change during the comparison.
 */
async function compareLookUps(options: {
  readonly projection: Projection;
  readonly names: ReturnType<typeof namesIn>;
  /** Lookups in the documents folded from the log. */
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

/** First difference of the two lists; undefined if they are equal. */
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
