/** Decides what is written after a batch of the log: documents, checkpoints, and what the log was last seen to hold. */
import { type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { CollectionCommit } from '../ports/read-model.ts';
import { latestOf } from './log-source.ts';
import { checkpointOf, type Target } from './projection-target.ts';

/** After this many events, untouched projections' checkpoints are advanced too, so that a restart reads little. */
export const CHECKPOINT_EVERY = 1_000;

export interface BatchCommit<Member> {
  readonly commits: readonly CollectionCommit[];
  /** Those whose checkpoint is among them. */
  readonly saved: readonly Member[];
}

type Written = Pick<Target, 'projection' | 'generation' | 'position' | 'passed'>;

/**
 * `changes` has what each target's documents become. `isRemote`: each checkpoint is a write of its own on a server, so
 * one that saves little work waits. Without it, a restart reads a little that concerns nobody.
 */
export function decideBatchCommit<Member extends Written>(
  targets: readonly Member[],
  passed: readonly RecordedEvent[],
  changes: (target: Member) => CollectionCommit | undefined,
  isRemote: boolean,
): BatchCommit<Member> {
  const isSaved = (target: Member) =>
    !isRemote ||
    (changes(target)?.changes.length ?? 0) > 0 ||
    target.passed + passed.length >= CHECKPOINT_EVERY;
  const saved = targets.filter(isSaved);
  return {
    saved,
    commits: [
      ...latestOf(passed),
      ...targets.flatMap((target) => changes(target) ?? []),
      ...saved.map((target) => checkpointOf(target, positionAfter(target, passed))),
    ],
  };
}

/** A target that was ahead of the others stays where it is. */
export function positionAfter(
  { position }: Pick<Target, 'position'>,
  passed: readonly RecordedEvent[],
): Position {
  const reached = passed.at(-1)?.position ?? START;
  return reached > position ? reached : position;
}
