/** Cuts large commits into small ones, each of which holds up other work only briefly. */
import type { CollectionCommit, ReadModel } from '../ports/read-model.ts';

/**
 * The same changes in the same order, in each slice at most as many as `changes` says then. Checkpoints come with the
 * last slice alone: an interruption leaves documents that are ahead of their checkpoint, which folds skip by their
 * positions.
 */
export function* slicedCommits(
  commits: readonly CollectionCommit[],
  changes: () => number,
): Generator<readonly CollectionCommit[], void> {
  let slice: CollectionCommit[] = [];
  let room = changes();
  for (const { checkpoint: _last, ...commit } of commits) {
    let first = 0;
    while (first < commit.changes.length) {
      const part = commit.changes.slice(first, first + room);
      slice.push({ ...commit, changes: part });
      first += part.length;
      room -= part.length;
      if (room > 0) continue;
      yield slice;
      slice = [];
      room = changes();
    }
  }
  const checkpoints = commits
    .filter(({ checkpoint }) => checkpoint !== undefined)
    .map((commit) => ({ ...commit, changes: [] }));
  yield [...slice, ...checkpoints];
}

export interface SliceSize {
  /** How many changes to commit next. */
  next(): number;
  /** The last slice was committed after so many milliseconds. */
  took(milliseconds: number): void;
}

const SMALLEST = 64;
const FIRST = 256;
const LARGEST = 1_024;
/** Milliseconds. */
const SHORT = 12;
const LONG = 25;

/** As many changes as the machine commits in a short time: large slices write pages that change often fewer times. */
export function createSliceSize(): SliceSize {
  let size = FIRST;
  return {
    next: () => size,
    took(milliseconds) {
      if (milliseconds > LONG) size = Math.max(SMALLEST, Math.floor(size / 2));
      else if (milliseconds < SHORT) size = Math.min(LARGEST, Math.floor(size * 1.25));
    },
  };
}

/** In slices where others wait for the file that is written; on a server each commit costs round trips instead. */
export async function commitInSlices(
  {
    readModel,
    shared,
    sliceSize,
  }: {
    readonly readModel: Pick<ReadModel, 'commit'>;
    readonly shared?: object | undefined;
    readonly sliceSize: SliceSize;
  },
  commits: readonly CollectionCommit[],
): Promise<void> {
  const slices = shared === undefined ? slicedCommits(commits, sliceSize.next) : [commits];
  for (const slice of slices) {
    const start = performance.now();
    await readModel.commit(slice);
    sliceSize.took(performance.now() - start);
  }
}
