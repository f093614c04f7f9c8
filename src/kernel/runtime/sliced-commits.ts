/** Cuts large commits into small ones, each of which holds up other work only briefly. */
import type { CollectionCommit, ReadModel } from '../ports/read-model.ts';

/** Changes that most machines commit in a few milliseconds. */
const SLICE = 256;

/**
 * Commits the same changes in the same order, in slices. Checkpoints come with the last slice alone: an interruption leaves
 * documents that are ahead of their checkpoint, which folds skip by their positions.
 */
export async function commitInSlices(
  readModel: Pick<ReadModel, 'commit'>,
  commits: readonly CollectionCommit[],
): Promise<void> {
  let slice: CollectionCommit[] = [];
  let left = SLICE;
  for (const { checkpoint: _last, ...commit } of commits) {
    for (let first = 0; first < commit.changes.length; ) {
      const changes = commit.changes.slice(first, first + left);
      slice.push({ ...commit, changes });
      first += changes.length;
      left -= changes.length;
      if (left > 0) continue;
      await readModel.commit(slice);
      slice = [];
      left = SLICE;
    }
  }
  const checkpoints = commits
    .filter(({ checkpoint }) => checkpoint !== undefined)
    .map((commit) => ({ ...commit, changes: [] }));
  await readModel.commit([...slice, ...checkpoints]);
}
