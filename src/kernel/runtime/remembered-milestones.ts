/** Remembers the last known states of long streams in this process, and up to where each has a snapshot. */
import type { Milestone } from './snapshots.ts';

export interface RememberedMilestones {
  latest(stream: string): Milestone<unknown> | undefined;
  remember(stream: string, milestone: Milestone<unknown>): void;
  /** Its event is not in the stream any more. */
  forget(stream: string): void;
  /** The revision of the last snapshot that this process knows of; -1 for none. */
  snapshotAt(stream: string): number;
  noteSnapshot(stream: string, revision: number | undefined): void;
}

/** `most`: of so many streams, those used last. */
export function createRememberedMilestones(most: number): RememberedMilestones {
  /** By stream, the one used longest ago first. */
  const milestones = new Map<string, Milestone<unknown>>();
  const snapshots = new Map<string, number>();

  return {
    latest: (stream) => milestones.get(stream),

    remember(stream, milestone) {
      const before = milestones.get(stream);
      // A call that took longer must not bring back an older state.
      if (before !== undefined && before.revision > milestone.revision) return;
      milestones.delete(stream);
      milestones.set(stream, milestone);
      const [oldest] = milestones.keys();
      if (milestones.size <= most || oldest === undefined) return;
      milestones.delete(oldest);
      snapshots.delete(oldest);
    },

    forget: (stream) => void milestones.delete(stream),
    snapshotAt: (stream) => snapshots.get(stream) ?? -1,
    noteSnapshot: (stream, revision = -1) => void snapshots.set(stream, revision),
  };
}
