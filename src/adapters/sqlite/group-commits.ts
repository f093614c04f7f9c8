/** Commits waiting writes together: a sync of the disk costs more than all the rest of a write. */
import { type CommitOptions, createCommitBatch, type QueuedWrite } from './commit-batch.ts';

export interface GroupCommits {
  add(write: QueuedWrite): void;
  /** Commits what waits; nothing is committed afterwards. */
  close(): void;
}

export interface GroupCommitOptions extends CommitOptions {
  /** False: one commit per write. */
  readonly isGrouping: boolean;
}

/** Bounds how long one commit keeps the event loop busy. */
const WRITES_PER_COMMIT = 512;

export function createGroupCommits(options: GroupCommitOptions): GroupCommits {
  const writesPerCommit = options.isGrouping ? WRITES_PER_COMMIT : 1;
  const commitBatch = createCommitBatch(options);
  const queue: QueuedWrite[] = [];
  let closed = false;
  let scheduled = false;

  function commit(): void {
    queue.unshift(...commitBatch(queue.splice(0, writesPerCommit)));
  }

  function commitNext(): void {
    scheduled = false;
    // Closing has emptied the queue, and the driver ends the process if a closed connection is used.
    if (closed) return;
    commit();
    schedule();
  }

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(commitNext);
  }

  return {
    add(write) {
      queue.push(write);
      schedule();
    },
    close() {
      while (queue.length > 0) commit();
      closed = true;
    },
  };
}
