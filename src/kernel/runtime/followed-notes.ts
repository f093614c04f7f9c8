/** Reads the note that the projector leaves for other processes, and sees which documents queries of this one read. */
import type { SharedReadModel } from '../ports/shared-read-model.ts';
import type { Projection } from './define-projection.ts';
import { otherLog } from './log-source.ts';
import type { SeenProjection } from './noted-projection.ts';
import { type ProgressNote, readNote } from './progress-note.ts';

export interface FollowedNotes {
  /** Rejects with an `OperatorError` when the read models are of another log, and when the read model does not answer. */
  look(): Promise<void>;
  /** Whether the read model is known to be of this log, and prepared. */
  isReady(): boolean;
  /** Undefined before the first. */
  latest(): ProgressNote | undefined;
  seen(projection: Projection): SeenProjection;
  /** Milliseconds since this process has seen a new note, or since its start. */
  silentFor(): number;
}

export interface FollowedNotesOptions {
  readonly projections: readonly Projection[];
  readonly readModel: SharedReadModel;
  /** The id of the log's first event; undefined while it is empty. */
  readonly firstEvent: () => Promise<string | undefined>;
}

/** A writer that says nothing for so long does not write. */
export const SILENT_AFTER = 5_000;

export function createFollowedNotes({
  projections,
  readModel,
  firstEvent,
}: FollowedNotesOptions): FollowedNotes {
  /** By projection, the generation that queries of this process were seen to read. */
  const read = new Map<string, string>();
  let latest: ProgressNote | undefined;
  let heardAt = performance.now();
  let isReady = false;

  const silentFor = () => performance.now() - heardAt;

  async function readLatest(): Promise<ProgressNote | undefined> {
    const found = await readModel.progress();
    return found && readNote(found);
  }

  async function makeReady(): Promise<void> {
    const found = await readLatest();
    if (found !== undefined && found.log !== (await firstEvent())) throw otherLog();
    await readModel.prepare(projections);
    isReady = true;
  }

  function seen({ name }: Projection): SeenProjection {
    const noted = latest?.projections.find((each) => each.name === name);
    return {
      note: latest,
      noted,
      isSeen: noted?.reads !== undefined && read.get(name) === keyOf(noted.reads),
      isHeard: silentFor() < SILENT_AFTER,
    };
  }

  return {
    async look() {
      if (!isReady) await makeReady();
      const found = await readLatest();
      if (found !== undefined && (found.beat !== latest?.beat || found.term !== latest.term))
        heardAt = performance.now();
      latest = found;
      for (const projection of projections) {
        const { noted, isSeen } = seen(projection);
        if (noted?.reads === undefined || isSeen) continue;
        const served = await readModel.served(projection);
        if (served !== undefined) read.set(projection.name, keyOf(served));
      }
    },
    isReady: () => isReady,
    latest: () => latest,
    seen,
    silentFor,
  };
}

function keyOf({ version, generation }: { readonly version: number; readonly generation: number }): string {
  return `${version}/${generation}`;
}
