/** Cuts large commits into small ones, each of which holds up other work only briefly. */
import type { CollectionCommit } from '../ports/read-model.ts';

/**
 * The same changes in the same order, at most `changes` of them in each slice. Checkpoints come with the last slice
 * alone: an interruption leaves documents that are ahead of their checkpoint, which folds skip by their positions.
 */
export function slicedCommits(
  commits: readonly CollectionCommit[],
  changes: number,
): readonly (readonly CollectionCommit[])[] {
  const slices: CollectionCommit[][] = [];
  let slice: CollectionCommit[] = [];
  let room = changes;
  for (const { checkpoint: _last, ...commit } of commits) {
    let first = 0;
    while (first < commit.changes.length) {
      const part = commit.changes.slice(first, first + room);
      slice.push({ ...commit, changes: part });
      first += part.length;
      room -= part.length;
      if (room > 0) continue;
      slices.push(slice);
      slice = [];
      room = changes;
    }
  }
  const checkpoints = commits
    .filter(({ checkpoint }) => checkpoint !== undefined)
    .map((commit) => ({ ...commit, changes: [] }));
  return [...slices, [...slice, ...checkpoints]];
}
