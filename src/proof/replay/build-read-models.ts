/**
 * Fills read models from a log up to a position, with the service's own folds. Requires exclusive write access to the read
 * models.
 */

import { type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import type { Generation, ReadModel } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';
import type { Recorded } from '../../kernel/runtime/event-codec.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import { commitInSlices, foldEvents, keysOf } from '../../kernel/runtime/fold-events.ts';
import { categoryOfType } from '../../streams/index.ts';

interface BuildOptions {
  /** Projections that the read model has prepared. Each is filled from its own checkpoint on. */
  readonly projections: readonly Projection[];
  readonly log: Pick<LogReader, 'events'>;
  readonly reader: Pick<EventReader, 'read'>;
  readonly readModel: ReadModel;
  /** Inclusive end position of a projection. */
  readonly until: (projection: Projection) => Position;
  /** Called after all events up to a position are folded. */
  readonly reached?: (position: Position) => void;
}

/** Events per batch; larger batches write frequently changed documents less often. */
const BATCH = 4_096;

interface Built {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly until: Position;
  position: Position;
}

/**
 * Fills the projections; can be interrupted at any point and repeated with the same result. Rejects with `EventUndecodable` at an event that one of
 * the projections folds, unless the event is quarantined.
 */
export async function buildReadModels(options: BuildOptions): Promise<void> {
  const { log, readModel, reached } = options;
  const all = await Promise.all(options.projections.map((projection) => builtIn(options, projection)));
  const wanting = all.filter(({ position, until }) => position < until);
  if (wanting.length === 0) return;
  const after = wanting.map(({ position }) => position).reduce((one, other) => (one < other ? one : other));
  const last = wanting.map(({ until }) => until).reduce((one, other) => (one > other ? one : other));

  async function fold(events: readonly RecordedEvent[]): Promise<void> {
    const decoded = await decodedFor(options, wanting, events);
    const commits = [];
    for (const filled of wanting) {
      const { projection, generation } = filled;
      const recorded = events.flatMap((event) => (isFor(filled, event) ? (decoded.get(event) ?? []) : []));
      const stored = await readModel.load(projection, keysOf(projection, recorded), generation);
      const changes = foldEvents(projection, stored, recorded);
      const end = events.at(-1)?.position ?? filled.position;
      if (end > filled.position) filled.position = end < filled.until ? end : filled.until;
      commits.push({ collection: projection, generation, changes, checkpoint: filled.position });
    }
    await commitInSlices(readModel, commits);
  }

  let batch: RecordedEvent[] = [];
  for await (const event of log.events({ after, categories: categoriesOf(wanting) })) {
    if (event.position > last) break;
    batch.push(event);
    if (batch.length < BATCH) continue;
    await fold(batch);
    batch = [];
    reached?.(event.position);
  }
  await fold(batch);
  await readModel.commit(
    wanting.map(({ projection, generation, until }) => ({
      collection: projection,
      generation,
      changes: [],
      checkpoint: until,
    })),
  );
  reached?.(last);
}

async function builtIn({ readModel, until }: BuildOptions, projection: Projection): Promise<Built> {
  const own = await readModel.own(projection);
  return { projection, generation: own, until: until(projection), position: own.checkpoint ?? START };
}

/** Decodes the events that the projections fold, without quarantined ones. */
async function decodedFor(
  options: BuildOptions,
  wanting: readonly Built[],
  events: readonly RecordedEvent[],
): Promise<ReadonlyMap<RecordedEvent, Recorded>> {
  const decoded = new Map<RecordedEvent, Recorded>();
  for (const event of events) {
    if (!wanting.some((filled) => isFor(filled, event))) continue;
    const recorded = await options.reader.read(event);
    if (recorded !== undefined) decoded.set(event, recorded);
  }
  return decoded;
}

function isFor({ projection, position, until }: Built, event: RecordedEvent): boolean {
  if (event.position <= position || event.position > until) return false;
  return projection.on[event.type] !== undefined;
}

function categoriesOf(wanting: readonly Built[]): readonly string[] {
  const types = wanting.flatMap(({ projection }) => Object.keys(projection.on));
  return [...new Set(types.flatMap((type) => categoryOfType.get(type) ?? []))];
}
