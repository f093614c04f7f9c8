/** A generation of a projection's documents that the projector fills or keeps up to date. */
import { type Position, START } from '../ports/event-store.ts';
import type { CollectionCommit, Generation, ReadModel } from '../ports/read-model.ts';
import type { Projection } from './define-projection.ts';
import type { UndecodableEvent } from './event-codec.ts';
import { createPace, type Pace } from './rebuild-progress.ts';

export type ProjectionState = 'building' | 'live' | 'failed';

export interface Target {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly categories: readonly string[];
  readonly pace: Pace;
  /** `live` once it has caught up, and is what queries read. */
  state: ProjectionState;
  /** Queries read it, also while it is catching up. */
  isServed: boolean;
  /** Another generation takes its place: it is not kept up to date any more. */
  retired: boolean;
  isGoingLive: boolean;
  position: Position;
  lastEventAt: string | undefined;
  error: string | undefined;
  blockedBy: { readonly event: UndecodableEvent; readonly before: ProjectionState } | undefined;
  /** How often it has moved since its last checkpoint without documents to write. */
  passed: number;
  remembering: Promise<void>;
}

export function newTarget(
  place: Pick<Target, 'projection' | 'generation' | 'categories' | 'isServed'>,
  position: Position = START,
): Target {
  return {
    ...place,
    pace: createPace(),
    state: 'building',
    retired: false,
    isGoingLive: false,
    position,
    lastEventAt: undefined,
    error: undefined,
    blockedBy: undefined,
    passed: 0,
    remembering: Promise.resolve(),
  };
}

export function checkpointOf(
  { projection, generation }: Pick<Target, 'projection' | 'generation'>,
  checkpoint: Position,
): CollectionCommit {
  return { collection: projection, generation, changes: [], checkpoint };
}

/** Saves positions that were reached without documents to write. */
export async function saveCheckpoints(
  readModel: Pick<ReadModel, 'commit'>,
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return;
  const reached = targets.map((target) => ({ target, position: target.position }));
  await readModel.commit(reached.map(({ target, position }) => checkpointOf(target, position)));
  for (const { target, position } of reached) if (target.position === position) target.passed = 0;
}
