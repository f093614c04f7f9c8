/** Compares read models with the log, document by document. Folds the log into a scratch read model and writes nothing else. */

import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import type { BuildState, ReadModel } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import { allEntries } from './all-entries.ts';
import { buildReadModels } from './build-read-models.ts';
import { differenceOf, type ReadModelDifference } from './document-difference.ts';

export interface CompareOptions {
  readonly projections: readonly Projection[];
  readonly log: Pick<LogReader, 'events' | 'head'>;
  readonly reader: Pick<EventReader, 'read'>;
  /** The read models compared with the log. The projections must be prepared in them. */
  readonly readModel: Pick<ReadModel, 'served' | 'entries'>;
  /** Empty store into which the log is folded. */
  readonly scratch: ReadModel;
  /** Called with each difference as soon as it is found. */
  readonly found: (difference: ReadModelDifference) => void;
}

export interface Comparison {
  /** Number of compared documents. */
  readonly documents: number;
  /** Number of documents that include events after the checkpoint of their read model, and were not compared. */
  readonly ahead: number;
  readonly notCompared: readonly { readonly collection: string; readonly reason: string }[];
}

interface Subject {
  readonly projection: Projection;
  readonly build: BuildState;
  /** Checkpoint of the build, up to which the log is folded for the comparison. */
  readonly checkpoint: Position;
}

/** Rejects if the log or the read models cannot be read, and with `EventUndecodable` in the same cases as `buildReadModels`. */
export async function compareReadModels(options: CompareOptions): Promise<Comparison> {
  const { log, scratch, projections, readModel } = options;
  const builds = await Promise.all(projections.map((projection) => readModel.served(projection)));
  // Read after the checkpoints, so that the head is at or after every checkpoint of this log.
  const head = await log.head();
  const subjects: Subject[] = [];
  const notCompared: { collection: string; reason: string }[] = [];
  for (const [index, projection] of projections.entries()) {
    const build = builds[index];
    const checkpoint = build?.checkpoint ?? START;
    const reason = obstacleTo(projection, build, head);
    if (reason !== undefined) notCompared.push({ collection: projection.name, reason });
    else if (build !== undefined) subjects.push({ projection, build, checkpoint });
  }
  await scratch.prepare(projections);
  await buildReadModels({
    ...options,
    readModel: scratch,
    projections: subjects.map(({ projection }) => projection),
    until: (wanted) => subjects.find(({ projection }) => projection === wanted)?.checkpoint ?? START,
  });
  let [documents, ahead] = [0, 0];
  for (const subject of subjects) {
    const compared = await compareOne(options, subject);
    documents += compared.documents;
    ahead += compared.ahead;
  }
  return { documents, ahead, notCompared };
}

/** Reason why the build cannot be compared; undefined if it can. */
function obstacleTo(
  { version }: Projection,
  build: BuildState | undefined,
  head: Position,
): string | undefined {
  if (build === undefined) return 'it is not built yet';
  if (build.version !== version)
    return `queries read version ${build.version}, but this release builds version ${version}`;
  if ((build.checkpoint ?? START) <= head) return undefined;
  return `its checkpoint ${build.checkpoint} is after the end of the log, ${head === START ? 'which is empty' : head}: it was built from another log, or from a longer copy of this one`;
}

/** Merges both in key order. Documents are never deleted, so each document of the log must be in the read model. */
async function compareOne(
  { scratch, readModel, found }: CompareOptions,
  { projection, build, checkpoint }: Subject,
) {
  const made = allEntries(scratch, projection, await scratch.own(projection));
  const read = allEntries(readModel, projection, build);
  let [documents, ahead] = [0, 0];
  let [expected, actual] = [await made.next(), await read.next()];
  while (!expected.done || !actual.done) {
    const order = expected.done ? 1 : actual.done ? -1 : orderOf(expected.value.key, actual.value.key);
    const ofLog = order <= 0 && !expected.done ? expected.value : undefined;
    const ofReadModel = order >= 0 && !actual.done ? actual.value : undefined;
    if (ofReadModel !== undefined && ofReadModel.position > checkpoint) ahead += 1;
    else {
      documents += 1;
      const difference = differenceOf(projection, ofLog, ofReadModel);
      if (difference !== undefined) found(difference);
    }
    if (ofLog !== undefined) expected = await made.next();
    if (ofReadModel !== undefined) actual = await read.next();
  }
  return { documents, ahead };
}

function orderOf(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
