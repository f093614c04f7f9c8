/** Read models as they stood at one position of the log, in a place that holds nothing else. */
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import type { Collection, ReadModel } from '../../kernel/ports/read-model.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import { projections } from '../../projections/index.ts';
import { fillReadModels } from './fill-read-models.ts';

/** What a place was filled with: kept in the place itself. */
export interface Replayed {
  /** The id of the log's first event. */
  readonly log: string;
  /** The last event that is in it. */
  readonly position: Position;
  /** When that event was recorded, or the time that was asked for. ISO 8601. */
  readonly time: string;
  readonly isComplete: boolean;
}

const REPLAYED: Collection = { name: 'replayed_log', version: 1 };
const KEY = 'replayed';

/** `begun` where a replay was killed before it wrote anything, undefined where there was none. Changes nothing if `readModel` was opened for reading. */
export async function readReplayed(
  readModel: Pick<ReadModel, 'prepare' | 'load'>,
): Promise<Replayed | 'begun' | undefined> {
  await readModel.prepare([REPLAYED]);
  // It rejects where no such collection was ever prepared.
  const found = await readModel.load(REPLAYED, [KEY]).catch(() => undefined);
  if (found === undefined) return undefined;
  const { log, position, time, isComplete } = found.get(KEY)?.document ?? {};
  if (typeof log !== 'string' || typeof position !== 'string' || typeof time !== 'string') return 'begun';
  return { log, position, time, isComplete: isComplete === true };
}

/** Where the log is cut. */
export interface Cut {
  readonly log: string;
  readonly position: Position;
  readonly time: string;
}

/**
 * At a position: up to and including it. At a time: before the first event that was recorded later, so that an event
 * recorded at that very millisecond is in it. Rejects with `OperatorError` where nothing is left, and for a position behind
 * the end of the log.
 */
export async function cutAt(
  log: LogReader,
  until: string,
  progress: (position: Position) => void = () => undefined,
): Promise<Cut> {
  const asked = timeOf(until);
  const head = await log.head();
  if (asked === undefined && until > head) {
    throw new OperatorError(`the log ends at ${head === START ? 'its start' : head}, before ${until}`);
  }
  let first: string | undefined;
  let last: { readonly position: Position; readonly time: string } | undefined;
  for await (const { id, position, metadata } of log.events()) {
    const recordedAt = typeof metadata.occurredAt === 'string' ? metadata.occurredAt : undefined;
    const isLater =
      asked === undefined ? position > until : recordedAt !== undefined && Date.parse(recordedAt) > asked;
    if (isLater) break;
    first ??= id;
    last = { position, time: recordedAt ?? last?.time ?? new Date(0).toISOString() };
    progress(position);
  }
  if (first === undefined || last === undefined) {
    throw new OperatorError(
      head === START ? 'the log is empty' : `the log has no event up to ${until}: it begins later`,
    );
  }
  return {
    log: first,
    position: last.position,
    time: asked === undefined ? last.time : new Date(asked).toISOString(),
  };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Undefined for a position. A date alone is its first moment in UTC. */
function timeOf(until: string): number | undefined {
  if (!until.includes('-')) return undefined;
  const time = ISO_TIME.test(until) ? Date.parse(until) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new OperatorError(
    `${JSON.stringify(until)} is neither a position nor a time such as 2026-11-22T15:04:05Z; a time says its zone`,
  );
}

/** Whether the place may be filled to the cut. Throws `OperatorError` where it holds anything else. */
export function requirePlaceFor(cut: Cut, found: Replayed | 'begun' | undefined, isUnused: boolean): void {
  if (found === 'begun') return;
  if (found === undefined) {
    if (isUnused) return;
    throw new OperatorError('the place of --into holds something else already: name an empty one');
  }
  if (found.log === cut.log && found.position === cut.position && found.time === cut.time) return;
  const what = found.log === cut.log ? `as of ${found.position}, ${found.time}` : 'of another log';
  throw new OperatorError(`the place of --into holds read models ${what}: name an empty one`);
}

/** Interrupted, the same call again goes on. To be called after `requirePlaceFor`. */
export async function replayLog(options: {
  readonly cut: Cut;
  readonly log: LogReader;
  readonly reader: Pick<EventReader, 'read' | 'mayBecome'>;
  readonly readModel: ReadModel;
  readonly reached: (position: Position) => void;
}): Promise<void> {
  const { cut, readModel } = options;
  const mark = (isComplete: boolean) =>
    readModel.commit([
      {
        collection: REPLAYED,
        changes: [{ key: KEY, position: isComplete ? '2' : '1', document: { ...cut, isComplete } }],
      },
    ]);
  await readModel.prepare([REPLAYED]);
  await mark(false);
  await readModel.prepare(projections);
  await fillReadModels({ ...options, projections, until: () => cut.position });
  for (const projection of projections) {
    if (!(await readModel.isLive(projection))) await readModel.goLive(projection);
  }
  await mark(true);
}
