/** Decides what is written after a batch of the log: documents, checkpoints, and what the log was last seen to hold. */
import { type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { CollectionCommit } from '../ports/read-model.ts';
import { latestOf } from './log-source.ts';
import { checkpointOf, type Target } from './projection-target.ts';

/** After this many events, untouched projections' checkpoints are advanced too, so that a restart reads little. */
export const CHECKPOINT_EVERY = 1_000;

/**
 * `changes` has what each target's documents become. The checkpoint of every target is among the commits, also of one that
 * the batch does not touch: another process may wait until it shows the position.
 */
export function batchCommits<Member extends Pick<Target, 'projection' | 'generation' | 'position'>>(
  targets: readonly Member[],
  passed: readonly RecordedEvent[],
  changes: (target: Member) => CollectionCommit | undefined,
): readonly CollectionCommit[] {
  return [
    ...latestOf(passed),
    ...targets.flatMap((target) => changes(target) ?? []),
    ...targets.map((target) => checkpointOf(target, positionAfter(target, passed))),
  ];
}

/** A target that was ahead of the others stays where it is. */
export function positionAfter(
  { position }: Pick<Target, 'position'>,
  passed: readonly RecordedEvent[],
): Position {
  const reached = passed.at(-1)?.position ?? START;
  return reached > position ? reached : position;
}
